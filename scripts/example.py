"""What `import ropewalk` gives, cell by cell, on the results of scripts/quickstart; scripts/README.md shows what they print.

usage: .venv/bin/python scripts/example.py, in the directory that holds results/; or cell by cell in an editor that knows `# %%`
"""

# %% The runs, a pandas table: every setting and attribute is a column
import ropewalk

results = ropewalk.load("results/quickstart")
print(results.summary())
print(results.runs[["label", "seed", "status", "trained_length", "parameters", "tokens_per_second"]].to_string(index=False))

# %% Their values, labelled xarray datasets: read when asked for, from the files of the runs asked of; settings are coordinates
perplexity = results.evaluation().perplexity.sel(protocol="nonoverlapping")  # each run's last; results.evaluate has every step
sinusoidal = perplexity[perplexity["model.position.kind"] == "sinusoidal"]
print(sinusoidal.set_index(run="seed").to_pandas().round(2))

# %% Means and intervals over the seeds of a series
spread = ropewalk.interval(perplexity).sel(length=512)
print(spread.to_dataframe()[["mean", "low", "high", "seeds"]].round(2))

# %% How far each series goes beyond its trained length: a row an estimate
table = ropewalk.extrapolation(results)
print(table[table.label == "rope"].round(2).to_string(index=False))
print(table[table.quantity == "ratio"].pivot(index="label", columns="length", values="mean").round(2))

# %% Differences from a baseline, seed by seed
differences = ropewalk.paired(results, baseline="alibi")
print(differences[(differences.quantity == "perplexity") & (differences.length == 64)].round(3).to_string(index=False))

# %% A part of the sweep, and a figure of it: mean training loss over seeds, of the schemes with a large base
loss = results.where("model.position.base > 1000").train.loss
lines = loss.groupby("label").mean("run").rolling(step=10).mean().plot.line(x="step")
lines[0].figure.savefig("results/quickstart/training-loss.png", bbox_inches="tight")
