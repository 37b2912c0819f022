#include "experiments/config/load.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "experiments/config/encode.hpp"
#include "tests/config/toy.hpp"

namespace ropewalk::config {
namespace {

namespace fs = std::filesystem;

// Config files in a directory of the test's own, which is the working directory while it runs, so that errors name them plainly.
class Load : public ::testing::Test {
 protected:
  Load() : before_(fs::current_path()) {
    const auto* test = ::testing::UnitTest::GetInstance()->current_test_info();
    const fs::path directory = fs::path(::testing::TempDir()) / (std::string("ropewalk-load-") + test->name());
    fs::remove_all(directory);
    fs::create_directories(directory / "sub");
    fs::current_path(directory);
    settings_.describe(schema_);
  }
  ~Load() override {
    const fs::path directory = fs::current_path();
    fs::current_path(before_);
    fs::remove_all(directory);
  }

  void write(const std::string& file, const std::string& text) { std::ofstream(file) << text; }

  Tree loaded(const std::string& file, const std::vector<std::string>& sets = {}) {
    Tree tree = load_file(file, &schema_, complaints_);
    for (const std::string& set : sets) apply_set(tree, set, &schema_, complaints_);
    return tree;
  }

  std::string flow(const std::string& file, const std::vector<std::string>& sets = {}) {
    const std::string yaml = flow_yaml(loaded(file, sets));
    complaints_.raise();
    return yaml;
  }

  // What loading and decoding complain about.
  std::string errors(const std::string& file, const std::vector<std::string>& sets = {}) {
    try {
      decode(loaded(file, sets), schema_, complaints_);
      complaints_.raise();
    } catch (const ConfigErrors& errors) {
      return errors.what();
    }
    return "";
  }

  std::string file_error(const std::string& file) {
    try {
      loaded(file);
    } catch (const FileError& error) {
      return error.what();
    }
    return "";
  }

 private:
  fs::path before_;
  toy::Settings settings_;
  Fields schema_;
  Complaints complaints_;
};

TEST_F(Load, OwnKeysWinOverTheBase) {
  write("base.yaml", "seed: 1\nmodel: {heads: 2, dropout: 0.1}\ntrain: {lengths: [1, 2, 3]}\n");
  write("a.yaml", "extends: base.yaml\nmodel: {heads: 8}\ntrain: {lengths: [9]}\n");
  EXPECT_EQ(flow("a.yaml"), "{seed: 1, model: {heads: 8, dropout: 0.1}, train: {lengths: [9]}}");
}

TEST_F(Load, BasesAreRelativeToTheFileThatNamesThem) {
  write("sub/base.yaml", "extends: ../root.yaml\nseed: 1\n");
  write("root.yaml", "name: root\nseed: 0\n");
  write("a.yaml", "extends: sub/base.yaml\n");
  EXPECT_EQ(flow("a.yaml"), "{name: root, seed: 1}");
}

TEST_F(Load, SettingsOfAnotherKindDoNotLeak) {
  write("base.yaml", "model: {heads: 2, position: {kind: rope, base: 500, scaling: {kind: linear, factor: 3}}}\n");
  write("a.yaml", "extends: base.yaml\nmodel: {position: {kind: alibi}}\n");
  write("b.yaml", "extends: base.yaml\nmodel: {position: {kind: rope, layout: half}}\n");
  write("c.yaml", "extends: base.yaml\nmodel: {position: {scaling: {kind: none}}}\n");
  EXPECT_EQ(flow("a.yaml"), "{model: {heads: 2, position: {kind: alibi}}}");
  EXPECT_EQ(flow("b.yaml"),
            "{model: {heads: 2, position: {kind: rope, base: 500, scaling: {kind: linear, factor: 3}, layout: half}}}");
  EXPECT_EQ(flow("c.yaml"), "{model: {heads: 2, position: {kind: rope, base: 500, scaling: {kind: none}}}}");
}

TEST_F(Load, AnInnerKindThatChangesDropsItsSettingsToo) {
  write("base.yaml", "model: {position: {kind: rope, base: 500, scaling: {kind: linear, factor: 3}}}\n");
  write("a.yaml", "extends: base.yaml\nmodel: {position: {kind: rope, scaling: {kind: none}}}\n");
  write("b.yaml", "extends: base.yaml\nmodel: {position: {scaling: {kind: linear, from: 8}}}\n");
  EXPECT_EQ(flow("a.yaml"), "{model: {position: {kind: rope, base: 500, scaling: {kind: none}}}}");
  EXPECT_EQ(flow("b.yaml"), "{model: {position: {kind: rope, base: 500, scaling: {kind: linear, factor: 3, from: 8}}}}");
}

TEST_F(Load, AListOfKindsReplacesThatOfTheBase) {
  write("base.yaml", "model: {position: {kind: sum, parts: [{kind: rope, base: 5}, {kind: alibi}]}}\n");
  write("a.yaml", "extends: base.yaml\nmodel: {position: {parts: [{kind: rope}, {kind: none}]}}\n");
  write("b.yaml", "extends: base.yaml\nmodel: {position: {kind: rope}}\n");
  EXPECT_EQ(flow("a.yaml"), "{model: {position: {kind: sum, parts: [{kind: rope}, {kind: none}]}}}");
  EXPECT_EQ(flow("b.yaml"), "{model: {position: {kind: rope}}}");
}

TEST_F(Load, AKindThatIsNoSelectionKeepsItsNeighbours) {
  write("base.yaml", "model: {kind: decoder, heads: 2}\n");
  write("a.yaml", "extends: base.yaml\nmodel: {kind: encoder}\n");
  EXPECT_EQ(flow("a.yaml"), "{model: {kind: encoder, heads: 2}}");
}

TEST_F(Load, MistakesNameTheFileTheyAreIn) {
  write("base.yaml", "seed: -1\nmodel: {heads: 0}\n");
  write("a.yaml", "extends: base.yaml\nmodel:\n  drpout: 0\n");
  EXPECT_EQ(errors("a.yaml"),
            "a.yaml:3:3: model.drpout: expected a known setting (kind, heads, dropout, tied, position), got drpout; "
            "did you mean dropout?\n"
            "base.yaml:1:7: seed: expected an integer >= 0, got -1\n"
            "base.yaml:2:16: model.heads: expected an integer in [1, 64], got 0");
}

TEST_F(Load, RefusesCycles) {
  write("a.yaml", "extends: sub/b.yaml\n");
  write("sub/b.yaml", "extends: ../a.yaml\n");
  EXPECT_EQ(errors("a.yaml"),
            "sub/b.yaml:1:10: extends: expected a file that does not build on this one, got a.yaml -> sub/b.yaml -> a.yaml");
}

TEST_F(Load, RefusesABaseThatIsNoFileName) {
  write("a.yaml", "extends: [b.yaml]\n");
  EXPECT_EQ(errors("a.yaml"), "a.yaml:1:10: extends: expected the file to build on, got a list");
}

TEST_F(Load, FilesThatCannotBeReadAreFileErrors) {
  write("a.yaml", "name: x\nextends: none.yaml\n");
  EXPECT_EQ(file_error("absent.yaml"), "absent.yaml: expected a config file to read, got no such file");
  EXPECT_EQ(file_error("sub"), "sub: expected a config file to read, got a directory");
  EXPECT_EQ(file_error("a.yaml"), "a.yaml:2:10: extends: none.yaml: expected a config file to read, got no such file");
}

TEST_F(Load, AFileThatIsNoConfigIsRefusedBeforeItIsRead) {
  write("a.yaml", "seed: 1\n" + std::string((1 << 20) - 8, '#'));
  EXPECT_EQ(flow("a.yaml"), "{seed: 1}");
  write("b.yaml", "seed: 1\n" + std::string((1 << 20) - 7, '#'));
  EXPECT_EQ(errors("b.yaml"), "b.yaml: expected a config of at most 1 MiB, got a larger file; is it the one you meant?");
}

TEST_F(Load, AnEmptyFileIsRefused) {
  write("a.yaml", "# nothing yet\n");
  EXPECT_EQ(errors("a.yaml"), "a.yaml:1:1: expected settings, got an empty file");
}

TEST_F(Load, SetReplacesAndAdds) {
  write("a.yaml", "seed: 1\nmodel: {heads: 2, dropout: 0.5}\n");
  EXPECT_EQ(flow("a.yaml", {"seed=4", "model.heads=8", "train.betas=[0.5, 0.6]", "name='a b'"}),
            "{seed: 4, model: {heads: 8, dropout: 0.5}, train: {betas: [0.5, 0.6]}, name: \"a b\"}");
  EXPECT_EQ(flow("a.yaml", {"model={heads: 1}"}), "{seed: 1, model: {heads: 1, dropout: 0.5}}");  // a section: key by key
}

TEST_F(Load, SetOfAKindDropsTheOtherKindsSettings) {
  write("a.yaml", "model: {position: {kind: rope, base: 500, scaling: {kind: linear, factor: 3}}}\n");
  EXPECT_EQ(flow("a.yaml", {"model.position.kind=alibi"}), "{model: {position: {kind: alibi}}}");
  EXPECT_EQ(flow("a.yaml", {"model.position.scaling.kind=none"}),
            "{model: {position: {kind: rope, base: 500, scaling: {kind: none}}}}");
  EXPECT_EQ(flow("a.yaml", {"model.position.kind=rope"}),
            "{model: {position: {kind: rope, base: 500, scaling: {kind: linear, factor: 3}}}}");
}

TEST_F(Load, SetReachesAKindInsideAKind) {
  write("a.yaml", "model: {position: {kind: rope, scaling: {kind: linear, factor: 3}}}\n");
  EXPECT_EQ(flow("a.yaml", {"model.position.scaling.factor=8"}),
            "{model: {position: {kind: rope, scaling: {kind: linear, factor: 8}}}}");
  EXPECT_EQ(flow("a.yaml", {"model.position.scaling={kind: linear, from: 2}"}),
            "{model: {position: {kind: rope, scaling: {kind: linear, from: 2}}}}");
}

TEST_F(Load, SetReachesTheElementsOfAListOfKinds) {
  write("a.yaml",
        "model: {position: {kind: sum, parts: [{kind: rope, base: 5, scaling: {kind: linear, factor: 3}}, {kind: alibi}]}}\n");
  const std::string rope = "{kind: rope, base: 5, scaling: {kind: linear, factor: 3}}";
  EXPECT_EQ(flow("a.yaml", {"model.position.parts[1].slopes=learned"}),
            "{model: {position: {kind: sum, parts: [" + rope + ", {kind: alibi, slopes: learned}]}}}");
  EXPECT_EQ(flow("a.yaml", {"model.position.parts[1]={kind: none}"}),
            "{model: {position: {kind: sum, parts: [" + rope + ", {kind: none}]}}}");
  EXPECT_EQ(flow("a.yaml", {"model.position.parts[0].kind=none"}),
            "{model: {position: {kind: sum, parts: [{kind: none}, {kind: alibi}]}}}");
  EXPECT_EQ(flow("a.yaml", {"model.position.parts[0].scaling.kind=none"}),
            "{model: {position: {kind: sum, parts: [{kind: rope, base: 5, scaling: {kind: none}}, {kind: alibi}]}}}");
  EXPECT_EQ(errors("a.yaml", {"model.position.parts[2].kind=none", "model.position.parts[1].slopes=lerned"}),
            "--set model.position.parts[1].slopes=lerned: model.position.parts[1].slopes: expected one of fixed, learned, got "
            "lerned; did you mean learned?\n"
            "--set model.position.parts[2].kind=none: model.position.parts: expected a list with an element [2], got 2 elements");
}

TEST_F(Load, SetReachesListsAndSweepAxes) {
  write("a.yaml", "train: {betas: [0.1, 0.2]}\nsweep: {grid: {model.position: [{kind: rope, base: 5}, {kind: none}]}}\n");
  EXPECT_EQ(flow("a.yaml",
                 {"train.betas[1]=0.9", "sweep.grid.model.position[0].base=7", "sweep.grid.train.rate=[1, 2]", "sweep.seeds=3"}),
            "{train: {betas: [0.1, 0.9]}, "
            "sweep: {grid: {model.position: [{kind: rope, base: 7}, {kind: none}], train.rate: [1, 2]}, seeds: 3}}");
}

TEST_F(Load, SetReachesSweepAxesWithAnIndexInTheirName) {
  write("a.yaml", "sweep: {grid: {'train.betas[0]': [0.1, 0.2], model.position.parts: [[], []]}}\n");
  EXPECT_EQ(flow("a.yaml", {"sweep.grid.train.betas[0]=[0.3]", "sweep.zip.model.position.parts[1].slopes=[fixed]",
                            "sweep.grid.model.position.parts[1]=[{kind: none}, {kind: alibi}]"}),
            "{sweep: {grid: {\"train.betas[0]\": [0.3], model.position.parts: [[], [{kind: none}, {kind: alibi}]]}, "
            "zip: {\"model.position.parts[1].slopes\": [fixed]}}}");
}

TEST_F(Load, MistakesNameTheSetTheyComeFrom) {
  write("a.yaml", "seed: 1\ntrain: {betas: [0.1, 0.2]}\n");
  EXPECT_EQ(errors("a.yaml", {"seed=-1", "trian.rate=1", "model.heads=[", "oops", "=3", "a..b=1", "a[x]=1", "train.betas[2]=0",
                              "seed[0]=1", "train.rate.x=1"}),
            "--set =3: expected path=value, such as train.steps=100, got =3\n"
            "--set a..b=1: expected path=value, such as train.steps=100, got a..b=1\n"
            "--set a[x]=1: expected path=value, such as train.steps=100, got a[x]=1\n"
            "--set model.heads=[: expected valid YAML, got a list whose [ is never closed\n"
            "--set oops: expected path=value, such as train.steps=100, got oops\n"
            "--set seed=-1: seed: expected an integer >= 0, got -1\n"
            "--set seed[0]=1: seed: expected a list with an element [0], got -1; set the whole list\n"
            "--set train.betas[2]=0: train.betas: expected a list with an element [2], got 2 elements\n"
            "--set train.rate.x=1: train.rate: expected a number > 0, got a map\n"
            "--set trian.rate=1: trian: expected a known setting (name, seed, model, train), got trian; did you mean train?");
}

}  // namespace
}  // namespace ropewalk::config
