#include "experiments/config/task.hpp"

namespace ropewalk::config {

void CorpusSettings::describe(Fields& fields) {
  fields.add("corpus", corpus, "text file, or directory of text files");
  fields.add("tokens", tokens, "what a token is").one_of({"bytes"});
  fields.add("validation", validation, "fraction of the tokens, at the end, that is held out").above(0).below(1);
}

positional::Marks CorpusSettings::marks() const {
  positional::Marks marks;
  for (char digit = '0'; digit <= '9'; ++digit) marks.digits.push_back(digit);
  for (char end : {'.', '!', '?', '\0'}) marks.separators.push_back(end);
  return marks;
}

Learner TextSettings::learner() const {
  return {"decoder", "every token of an encoder sees all others, also those it is to predict, so its loss would say nothing"};
}

void MaskedTextSettings::describe(Fields& fields) {
  CorpusSettings::describe(fields);
  fields.add("rate", rate, "fraction of the tokens that are masked and to be predicted").above(0).below(1);
}

Learner MaskedTextSettings::learner() const {
  return {"encoder", "a masked token is to be predicted from those on both sides, and a token of a decoder sees one side alone"};
}

const Registry<TaskSettings>& tasks() {
  static const Registry<TaskSettings> registry = {
      {"text", "next-token prediction on a text", "", "", make_kind<TaskSettings, TextSettings>},
      {"masked_text", "prediction of masked tokens of a text", "", "Devlin et al. 2019",
       make_kind<TaskSettings, MaskedTextSettings>},
  };
  return registry;
}

}  // namespace ropewalk::config
