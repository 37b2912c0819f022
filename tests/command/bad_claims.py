"""Claim files that are refused, each with all that `ropewalk check` and `ropewalk verify` say of it, word for word.

To add one: its name, what it changes in GOOD, and the lines; other files beside it and the exit code if it is not 2. What is
named in braces stands for the words in NAMES, and {rope 0} for the id of a run of rope with seed 0.
"""
import dataclasses

from toy_claim import STUDY

GOOD = """\
claim: Rope, scaled or tuned, is held against itself
source: Nobody 2026, Table 0
published:
  what: perplexity of nothing in particular
  columns: [short, long]
  rows: {rope: [1.5, ""], ALiBi: [2, out of memory]}
study: toy.yaml
toy: It is nothing but one.
note: It is too small.
figure: scripts/plot extrapolation results/toy --output figures/toy
alone: false
pair: [seed]
each: {model.heads: [1, 2]}
evaluations:
  linear: {model.position.scaling: {kind: linear, factor: 2}}
series:
  rope: {where: {model.position.kind: rope}}
  linear: {where: {model.position.kind: rope}, evaluation: linear}
  tuned: {stage: 2, where: {model.position.kind: rope}, first: {train.length: 16}}
  sliding: {where: {model.position.kind: rope}, protocol: sliding, metric: loss}
  speed: {where: {model.position.kind: rope}, metric: tokens_per_second}
predicate:
  - linear at 2L < 1.5 * rope at 2L
  - tuned at 4L / tuned at L <= rope at 4L / rope at L
tried:
  - sliding at L+16 > sliding at 2L
  - speed >= 0.5 * speed
table: [L, 2L, 4L]
"""
FILES = {"toy.yaml": STUDY.format(steps=20, heads="[1, 2]", seeds=3)}

NAMES = {
    "{keys}": "claim, source, published, study, toy, note, figure, alone, pair, each, evaluations, series, predicate, tried, "
              "table",
    "{metrics}": "effective_length, tokens_gained, area, steepest_rise, tokens_per_second, peak_bytes, perplexity, loss, "
                 "bits_per_byte, token_accuracy",
    "{series}": "rope, linear, tuned, sliding, speed",
    "{example}": "such as 'alibi at 2L <= 1.02 * alibi at L'",
    "{sides}": "two sides with one of <= >= < > between them",
    "{section}": "kind, layers, heads, width, hidden, activation, norm, dropout, tie_embeddings, position, positions",
}

ROPE = "  rope: {where: {model.position.kind: rope}}\n"
SPEED = "  speed: {where: {model.position.kind: rope}, metric: tokens_per_second}\n"
SCALED = "{model.position.scaling: {kind: linear, factor: 2}}"
TRIED = "sliding at L+16 > sliding at 2L"
SERIES = GOOD[GOOD.index("series:"):GOOD.index("predicate:")]
PREDICATE = GOOD[GOOD.index("predicate:"):GOOD.index("tried:")]
PUBLISHED = GOOD[GOOD.index("published:"):GOOD.index("study:")]
ROWS = "  rows: {rope: [1.5, \"\"], ALiBi: [2, out of memory]}\n"


@dataclasses.dataclass(frozen=True)
class Bad:
    name: str
    changes: dict[str, str]  # {what stands once in GOOD: what it becomes}
    says: tuple[str, ...]
    files: dict[str, str] = dataclasses.field(default_factory=dict)
    code: int = 2  # 3: a file cannot be read

    def claim(self):
        text = GOOD
        for old, new in self.changes.items():
            assert text.count(old) == 1, f"{self.name}: {old}"
            text = text.replace(old, new)
        return text


def line_of(key):
    return next(line for line in GOOD.splitlines(keepends=True) if line.startswith(f"{key}:"))


def comparison(name, text, says):
    return Bad(f"a comparison {name}", {TRIED: f"'{text}'"}, (f"bad.yaml:26:5: tried[0]: {says}",))


CASES = {
    "Unknown and duplicate keys": [
        Bad("a misspelt key", {"alone:": "alnoe:"},
            ("bad.yaml:11:1: alnoe: expected one of {keys}, got alnoe; did you mean alone?",)),
        Bad("a misspelt key of what was published", {"what:": "waht:"},
            ("bad.yaml:4:3: published.waht: expected one of what, columns, rows, got waht; did you mean what?",
             "bad.yaml:4:3: published.what: expected a value, got nothing")),
        Bad("a misspelt key of a series", {"protocol: sliding": "protcol: sliding"},
            ("bad.yaml:20:49: series.sliding.protcol: expected one of stage, where, first, evaluation, protocol, metric, got "
             "protcol; did you mean protocol?",)),
        Bad("a key twice", {"note: It is too small.": "toy: It is too small."},
            ("bad.yaml:9:1: expected each key once, got toy again, first given at bad.yaml:8:1",)),
        Bad("a series twice", {SPEED: ROPE + SPEED},
            ("bad.yaml:21:3: expected each key once, got rope again, first given at bad.yaml:17:3",)),
        Bad("no YAML", {"pair: [seed]": "pair: [seed"},
            ("bad.yaml:13:5: expected valid YAML, got a list whose [ is never closed",)),
    ],
    "Missing keys": [
        *[Bad(f"no {key}", {line_of(key): ""}, (f"bad.yaml:1:1: {key}: expected a value, got nothing",))
          for key in ("claim", "source", "study", "toy")],
        Bad("no published", {PUBLISHED: ""}, ("bad.yaml:1:1: published: expected a value, got nothing",)),
        Bad("nothing that was published", {"  what: perplexity of nothing in particular\n": ""},
            ("bad.yaml:4:3: published.what: expected a value, got nothing",)),
        Bad("no series", {SERIES: ""}, ("bad.yaml:1:1: series: expected a value, got nothing",)),
        Bad("no predicate", {PREDICATE: ""}, ("bad.yaml:1:1: predicate: expected a value, got nothing",)),
    ],
    "Values of the wrong form": [
        Bad("an empty claim", {"claim: Rope, scaled or tuned, is held against itself": "claim:"},
            ("bad.yaml:1:1: claim: expected a text, got nothing",)),
        Bad("a blank source", {"source: Nobody 2026, Table 0": "source: ' '"},
            ("bad.yaml:2:9: source: expected a text, got \" \"",)),
        Bad("a list as toy", {"toy: It is nothing but one.": "toy: [one]"}, ("bad.yaml:8:6: toy: expected a text, got a list",)),
        Bad("a map as note", {"note: It is too small.": "note: {small: true}"},
            ("bad.yaml:9:7: note: expected a text, got a map",)),
        Bad("another word than true or false", {"alone: false": "alone: no"},
            ("bad.yaml:11:8: alone: expected true or false, got no",)),
        Bad("a word as pair", {"pair: [seed]": "pair: seed"},
            ("bad.yaml:12:7: pair: expected a list with at least one element, got seed",)),
        Bad("an empty pair", {"pair: [seed]": "pair: []"},
            ("bad.yaml:12:7: pair: expected a list with at least one element, got an empty list",)),
        Bad("a word as each", {"each: {model.heads: [1, 2]}": "each: model.heads"},
            ("bad.yaml:13:7: each: expected a map with at least one entry, got model.heads",)),
        Bad("a number as values of each", {"[1, 2]}": "1}"},
            ("bad.yaml:13:21: each.model.heads: expected a list with at least one element, got 1",)),
        Bad("two settings in each", {"[1, 2]}": "[1, 2], seed: [0]}"},
            ("bad.yaml:13:7: each: expected one setting with a list of values, got a map",)),
        Bad("a value of each twice", {"[1, 2]}": "[1, 2, 1]}"},
            ("bad.yaml:13:28: each.model.heads[2]: expected each value once, got 1 again",)),
        Bad("a number as evaluation", {SCALED: "2"},
            ("bad.yaml:15:11: evaluations.linear: expected a map with at least one entry, got 2",)),
        Bad("no evaluations at all", {f"evaluations:\n  linear: {SCALED}\n": "evaluations: {}\n", ", evaluation: linear": ""},
            ("bad.yaml:14:14: evaluations: expected a map with at least one entry, got an empty map",)),
        Bad("no series at all", {SERIES: "series: {}\n", f"evaluations:\n  linear: {SCALED}\n": ""},
            ("bad.yaml:14:9: series: expected a map with at least one entry, got an empty map",)),
        Bad("a word as series", {ROPE: "  rope: rope\n"}, ("bad.yaml:17:9: series.rope: expected a map, got rope",)),
        Bad("a series of nothing", {ROPE: "  rope:\n"}, ("bad.yaml:17:3: series.rope: expected a map, got nothing",)),
        Bad("a stage before the first", {"stage: 2": "stage: 0"},
            ("bad.yaml:19:18: series.tuned.stage: expected an integer >= 1, got 0",)),
        Bad("a word as stage", {"stage: 2": "stage: second"},
            ("bad.yaml:19:18: series.tuned.stage: expected an integer >= 1, got second",)),
        Bad("a list as where", {ROPE: "  rope: {where: [rope]}\n"},
            ("bad.yaml:17:17: series.rope.where: expected a map with at least one entry, got a list",)),
        Bad("a number as first", {"first: {train.length: 16}": "first: 16"},
            ("bad.yaml:19:64: series.tuned.first: expected a map with at least one entry, got 16",)),
        Bad("a list as protocol", {"protocol: sliding": "protocol: [sliding]"},
            ("bad.yaml:20:59: series.sliding.protocol: expected a text, got a list",)),
        Bad("a line as predicate", {PREDICATE: "predicate: linear at 2L < rope at 2L\n"},
            ("bad.yaml:22:12: predicate: expected a list with at least one element, got linear at 2L < rope at 2L",)),
        Bad("an empty predicate", {PREDICATE: "predicate: []\n"},
            ("bad.yaml:22:12: predicate: expected a list with at least one element, got an empty list",)),
        Bad("a map as comparison", {TRIED: "{sliding: less}"}, ("bad.yaml:26:5: tried[0]: expected a text, got a map",)),
        Bad("a length as table", {"table: [L, 2L, 4L]": "table: L"},
            ("bad.yaml:28:8: table: expected a list with at least one element, got L",)),
    ],
    "What was published": [
        Bad("a text", {PUBLISHED: "published: a lot\n"}, ("bad.yaml:3:12: published: expected a map, got a lot",)),
        Bad("a row of another width", {"[2, out of memory]": "[2]"},
            ("bad.yaml:6:34: published.rows.ALiBi: expected 2 cells, one a column, got 1",)),
        Bad("a list as cell", {'[1.5, ""]': "[1.5, [2]]"},
            ("bad.yaml:6:22: published.rows.rope[1]: expected a number or a text, got a list",)),
        Bad("a list as rows", {ROWS: "  rows: [1, 2]\n"},
            ("bad.yaml:6:9: published.rows: expected a map with at least one entry, got a list",)),
        Bad("rows without columns", {"  columns: [short, long]\n": ""},
            ("bad.yaml:4:3: published.columns: expected a value, got nothing",)),
        Bad("columns without rows", {ROWS: ""}, ("bad.yaml:4:3: published.rows: expected a value, got nothing",)),
    ],
    "The figure": [
        Bad("a list", {line_of("figure"): "figure: [scripts/plot]\n"}, ("bad.yaml:10:9: figure: expected a text, got a list",)),
        Bad("no --output", {" --output figures/toy": ""},
            ("bad.yaml:10:9: figure: expected a command with --output, got scripts/plot extrapolation results/toy",)),
        Bad("no file behind --output", {" --output figures/toy": " --output"},
            ("bad.yaml:10:9: figure: expected a command with --output and a file, got scripts/plot extrapolation results/toy "
             "--output",)),
    ],
    "The study": [
        Bad("no file", {"study: toy.yaml": "study: tyo.yaml"},
            ("bad.yaml:7:8: study: expected a config, relative to this file: tyo.yaml is none, got tyo.yaml",)),
        Bad("a directory", {"study: toy.yaml": "study: ."},
            ("bad.yaml:7:8: study: expected a config, relative to this file: . is none, got .",)),
        Bad("a list", {"study: toy.yaml": "study: [toy.yaml]"}, ("bad.yaml:7:8: study: expected a text, got a list",)),
        Bad("with mistakes of its own", {},
            ("toy.yaml:2:9: model.layres: expected a known setting ({section}), got layres; did you mean layers?",
             "toy.yaml:3:16: train.steps: expected an integer >= 1, got -1"),
            files={"toy.yaml": "name: toy\nmodel: {layres: 2}\ntrain: {steps: -1}\n"}),
        Bad("extending no file", {}, ("toy.yaml:2:10: extends: none.yaml: expected a config file to read, got no such file",),
            files={"toy.yaml": "name: toy\nextends: none.yaml\n"}, code=3),
    ],
    "What pairs runs": [
        Bad("no setting of the study", {"pair: [seed]": "pair: [sede]"},
            ("bad.yaml:12:8: pair[0]: expected a setting of the runs of toy.yaml, got sede; did you mean seed?",)),
        Bad("too little", {"where: {model.position.kind: rope}, protocol: sliding": "protocol: sliding"},
            tuple("bad.yaml:20:3: series.sliding: expected one run of each seed, got {rope 0} and {alibi 0} of seed=0; say more "
                  "in where, first or stage" for _ in (1, 2))),
    ],
    "What the study does not have": [
        Bad("a setting in where", {ROPE: ROPE.replace("kind", "kidn")},
            ("bad.yaml:17:3: series.rope: expected a setting of the runs of toy.yaml, got model.position.kidn; did you mean "
             "model.position.kind?",)),
        Bad("a section in where", {ROPE: "  rope: {where: {model.position: {kind: rope}}}\n"},
            ("bad.yaml:17:3: series.rope: expected a setting of the runs of toy.yaml, got model.position; did you mean "
             "model.position.kind?",)),
        Bad("a setting in first", {"first: {train.length: 16}": "first: {train.lenght: 16}"},
            ("bad.yaml:19:3: series.tuned: expected a setting of the runs of toy.yaml, got train.lenght; did you mean "
             "train.length?",)),
        Bad("a setting in each", {"model.heads: [": "model.hedas: ["},
            ("bad.yaml:13:8: each.model.hedas: expected a setting of the runs of toy.yaml, got model.hedas; did you mean "
             "model.heads?",)),
        Bad("a value in where", {ROPE: "  rope: {where: {model.position.kind: roep}}\n"},
            tuple(f"bad.yaml:17:3: series.rope: expected runs of toy.yaml with model.position.kind=roep, model.heads={heads}, 1 "
                  f"stage, got none; its model.position.kind: rope, alibi, none; its model.heads: 1, 2; its stages: 1, 2" for heads in (1, 2))),
        Bad("a value in first", {"first: {train.length: 16}": "first: {train.length: 32}"},
            tuple(f"bad.yaml:19:3: series.tuned: expected runs of toy.yaml with model.position.kind=rope, model.heads={heads}, "
                  f"first train.length=32, 2 stages, got none; its model.position.kind: rope, alibi, none; its model.heads: 1, "
                  f"2; its first train.length: 16; its stages: 1, 2" for heads in (1, 2))),
        Bad("a value in each", {"[1, 2]}": "[1, 4]}"},
            tuple(f"bad.yaml:{line}:3: series.{name}: expected runs of toy.yaml with model.position.kind=rope, model.heads=4, {first}"
                  f"{stages}, got none; its model.position.kind: rope, alibi, none; its model.heads: 1, 2{its_first}; its stages: 1, 2"
                  for line, name, first, stages, its_first in (
                      (17, "rope", "", "1 stage", ""), (18, "linear", "", "1 stage", ""),
                      (19, "tuned", "first train.length=16, ", "2 stages", "; its first train.length: 16"),
                      (20, "sliding", "", "1 stage", ""), (21, "speed", "", "1 stage", "")))),
        Bad("a stage", {"stage: 2": "stage: 3"},
            tuple(f"bad.yaml:19:3: series.tuned: expected runs of toy.yaml with model.position.kind=rope, model.heads={heads}, "
                  f"first train.length=16, 3 stages, got none; its model.position.kind: rope, alibi, none; its model.heads: 1, 2; "
                  f"its first train.length: 16; its stages: 1, 2"
                  for heads in (1, 2))),
        Bad("a protocol", {"protocol: sliding": "protocol: fixed_target"},
            ("bad.yaml:20:3: series.sliding.protocol: expected one of nonoverlapping, sliding, got fixed_target",)),
        Bad("a misspelt protocol", {"protocol: sliding": "protocol: slidng"},
            ("bad.yaml:20:3: series.sliding.protocol: expected one of nonoverlapping, sliding, got slidng; did you mean "
             "sliding?",)),
        Bad("a length in the predicate", {"1.5 * rope at 2L": "1.5 * rope at 3L"},
            ("bad.yaml:23:5: predicate[0]: rope at 3L: expected one of the evaluated lengths 16, 32, 64, got 48",)),
        Bad("a length in what was tried", {TRIED: "sliding at L+1 > sliding at L"},
            ("bad.yaml:26:5: tried[0]: sliding at L+1: expected one of the evaluated lengths 16, 32, 64, got 17",)),
        Bad("a length in the table", {"table: [L, 2L, 4L]": "table: [L, 8L]"},
            tuple(f"bad.yaml:{line}:3: table: {name} at 8L: expected one of the evaluated lengths 16, 32, 64, got 128"
                  for line, name in ((17, "rope"), (18, "linear"), (19, "tuned"), (20, "sliding")))),
        Bad("a length in its evaluation", {SCALED: "{evaluate.lengths: [16, 64]}", "table: [L, 2L, 4L]": "table: [L, 4L]"},
            ("bad.yaml:23:5: predicate[0]: linear at 2L: expected one of the evaluated lengths 16, 64, got 32",)),
    ],
    "Evaluations": [
        Bad("a misspelt one", {"evaluation: linear": "evaluation: liner"},
            ("bad.yaml:18:60: series.linear.evaluation: expected one of linear, got liner; did you mean linear?",)),
        Bad("none that it could be", {f"evaluations:\n  linear: {SCALED}\n": ""},
            ("bad.yaml:16:60: series.linear.evaluation: expected one of evaluations, of which there are none, got linear",)),
        Bad("of no series", {", evaluation: linear": ""},
            ("bad.yaml:15:3: evaluations.linear: expected a series that has this evaluation",)),
        Bad("of another training", {SCALED: "{train.steps: 5}"},
            ("bad.yaml:15:3: evaluations.linear: train.steps: expected 20, as the run was trained, got 5: it belongs to the "
             "training, which is not done again",)),
        Bad("of another model", {SCALED: "{model.position.kind: alibi}"},
            ("bad.yaml:15:3: evaluations.linear: model.position.kind: expected rope, as the run was trained, got alibi: with "
             "another scheme it is another model",)),
        Bad("with an unknown setting", {"factor: 2": "facotr: 2"},
            ("bad.yaml:15:3: evaluations.linear: model.position.scaling.facotr: expected a known setting (kind, factor), got "
             "facotr; did you mean factor?",)),
        Bad("with a value that cannot be", {"factor: 2": "factor: 0.5"},
            ("bad.yaml:15:3: evaluations.linear: model.position.scaling.factor: expected a number >= 1, got 0.5",)),
        Bad("with more than its tokens", {SCALED: "{evaluate.lengths: [16, 32, 64, 1000]}"},
            ("bad.yaml:15:3: evaluations.linear: evaluate.tokens: expected more than the longest of evaluate.lengths, 1000, got "
             "500",)),
        Bad("of a sweep", {SCALED: "{sweep.seeds: 3}"},
            ("bad.yaml:15:3: evaluations.linear: sweep: expected settings of one run, got a sweep of 3 runs",)),
    ],
    "Series and metrics": [
        Bad("a sign in a name", {SPEED: SPEED.replace("speed", "speed/2") + SPEED},
            ("bad.yaml:21:3: series.speed/2: expected a name without ' at ' and any of <>=*/, got speed/2",
             "bad.yaml:21:3: series.speed/2: expected predicate, tried or table to look at it")),
        Bad("at in a name", {SPEED: ROPE.replace("rope:", "rope at L:") + SPEED},
            ("bad.yaml:21:3: series.rope at L: expected a name without ' at ' and any of <>=*/, got rope at L",)),
        Bad("a misspelt metric", {"metric: loss": "metric: los"},
            ("bad.yaml:20:76: series.sliding.metric: expected one of {metrics}, got los; did you mean loss?",)),
        Bad("a misspelt metric of whole runs", {"tokens_per_second": "tokens_per_secnd"},
            ("bad.yaml:21:55: series.speed.metric: expected one of {metrics}, got tokens_per_secnd; did you mean "
             "tokens_per_second?",)),
        Bad("a protocol of what has none", {"metric: tokens_per_second": "metric: tokens_per_second, protocol: sliding"},
            ("bad.yaml:21:74: series.speed.protocol: expected none, as tokens_per_second does not depend on it",)),
        Bad("an evaluation of what was timed in training",
            {"metric: tokens_per_second": "metric: tokens_per_second, evaluation: linear"},
            ("bad.yaml:21:74: series.speed.evaluation: expected none, as tokens_per_second does not depend on it",)),
        Bad("one that nothing looks at", {"table: [L, 2L, 4L]\n": "", TRIED: "rope at L > rope at 2L"},
            ("bad.yaml:20:3: series.sliding: expected predicate, tried or table to look at it",)),
        Bad("one of whole runs that nothing compares", {"  - speed >= 0.5 * speed\n": ""},
            ("bad.yaml:21:3: series.speed: expected predicate, tried or table to look at it",)),
        Bad("a table of none",
            {SERIES: "series:\n" + SPEED, PREDICATE: "predicate: [speed > 0.5 * speed]\n", f"  - {TRIED}\n": "",
             f"evaluations:\n  linear: {SCALED}\n": ""},
            ("bad.yaml:19:8: table: expected a series with a length, got those of whole runs alone",)),
    ],
    "Comparisons": [
        comparison("of an unknown series", "roep at L > sliding at L",
                   "expected one of the series {series}, got roep; did you mean rope?"),
        comparison("of a number", "rope at L < 2", "expected one of the series {series}, got 2"),
        comparison("with * left out", "rope at L < 2 rope at L",
                   "expected one of the series {series}, got 2 rope; did you mean rope?"),
        comparison("without one", "rope at L", "expected {sides}, got 'rope at L'; {example}"),
        comparison("of three", "rope at L < rope at 2L < rope at 4L",
                   "expected {sides}, got 'rope at L < rope at 2L < rope at 4L'; {example}"),
        comparison("for equality", "rope at L == rope at 2L", "expected {sides}, got 'rope at L == rope at 2L'; {example}"),
        comparison("turned round", "rope at L =< rope at 2L", "expected {sides}, got 'rope at L =< rope at 2L'; {example}"),
        comparison("with one side", "rope at L <", "expected the name of a series, got ''; {example}"),
        comparison("with a factor behind", "rope at L < rope at L * 2",
                   "expected a number > 0 before '*', got 'rope at L'; {example}"),
        comparison("with a negative factor", "rope at L < -2 * rope at L",
                   "expected a number > 0 before '*', got '-2'; {example}"),
        comparison("with a factor of nothing", "rope at L < 0 * rope at L",
                   "expected a number > 0 before '*', got '0'; {example}"),
        comparison("with no number", "rope at L < nan * rope at L", "expected a number > 0 before '*', got 'nan'; {example}"),
        comparison("with two factors", "rope at L < 2 * 3 * rope at L",
                   "expected one '*' at most, got '2 * 3 * rope at L'; {example}"),
        comparison("with two divisors", "rope at L < rope at L / rope at L / rope at L",
                   "expected '[factor *] series [/ series]', got 'rope at L / rope at L / rope at L'; {example}"),
        comparison("with a factor of its divisor", "rope at L < rope at L / 2 * rope at L",
                   "expected a number > 0 before '*', got 'rope at L / 2'; {example}"),
        comparison("with a sum", "rope at L < rope at L + 1",
                   "expected a length such as L, 2L or L+10, L being the trained one, got 'L + 1'"),
        comparison("at a length in tokens", "rope at 16 < rope at 2L",
                   "expected a length such as L, 2L or L+10, L being the trained one, got '16'"),
        comparison("at a length that no number holds", "rope at 99999999999L < rope at L",
                   "expected a length such as L, 2L or L+10, L being the trained one, got '99999999999L'"),
        comparison("of two units", "speed > sliding at L",
                   "expected both sides in one unit, got tokens_per_second and nats"),
        comparison("of a quotient of two units", "sliding at L / rope at L > sliding at L / sliding at 2L",
                   "expected both sides in one unit, got nats / perplexity and a quotient"),
        comparison("without a length", "sliding > sliding at 2L", "expected 'sliding at' a length such as 2L"),
        comparison("with a length of what has none", "speed at L >= speed",
                   "expected speed without a length, tokens_per_second being of the whole run"),
        Bad("lengths of other forms", {"table: [L, 2L, 4L]": "table: [L, 2l, L-1, 0L, 32]"},
            tuple(f"bad.yaml:28:{column}: table[{i}]: expected a length such as L, 2L or L+10, L being the trained one, got "
                  f"'{text}'"
                  for i, column, text in ((1, 12, "2l"), (2, 16, "L-1"), (3, 21, "0L"), (4, 25, "32")))),
    ],
    "All at once": [
        Bad("of the file", {"claim: Rope": "calim: Rope", "alone: false": "alone: 2", "metric: loss": "metric: los",
                            "1.5 * rope": "1.5 * roep", "study: toy.yaml": "study: tyo.yaml", " --output figures/toy": ""},
            ("bad.yaml:1:1: calim: expected one of {keys}, got calim; did you mean claim?",
             "bad.yaml:1:1: claim: expected a value, got nothing",
             "bad.yaml:7:8: study: expected a config, relative to this file: tyo.yaml is none, got tyo.yaml",
             "bad.yaml:10:9: figure: expected a command with --output, got scripts/plot extrapolation results/toy",
             "bad.yaml:11:8: alone: expected true or false, got 2",
             "bad.yaml:20:76: series.sliding.metric: expected one of {metrics}, got los; did you mean loss?",
             "bad.yaml:23:5: predicate[0]: expected one of the series {series}, got roep; did you mean rope?")),
        Bad("of what the study has", {ROPE: ROPE.replace("kind", "knd"), SCALED: "{train.steps: 5}",
                                      "protocol: sliding": "protocol: fixed_target", "table: [L, 2L, 4L]": "table: [L, 2L, 8L]"},
            ("bad.yaml:15:3: evaluations.linear: train.steps: expected 20, as the run was trained, got 5: it belongs to the "
             "training, which is not done again",
             "bad.yaml:17:3: series.rope: expected a setting of the runs of toy.yaml, got model.position.knd; did you mean "
             "model.position.kind?",
             "bad.yaml:19:3: table: tuned at 8L: expected one of the evaluated lengths 16, 32, 64, got 128",
             "bad.yaml:20:3: series.sliding.protocol: expected one of nonoverlapping, sliding, got fixed_target",
             "bad.yaml:20:3: table: sliding at 8L: expected one of the evaluated lengths 16, 32, 64, got 128")),
    ],
}
