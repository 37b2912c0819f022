#include "experiments/config/task.hpp"

namespace ropewalk::config {

void TextSettings::describe(Fields& fields) {
  fields.add("corpus", corpus, "text file, or directory of text files");
  fields.add("tokens", tokens, "what a token is").one_of({"bytes"});
  fields.add("validation", validation, "fraction of the tokens, at the end, that is held out").above(0).below(1);
}

positional::Marks TextSettings::marks() const {
  positional::Marks marks;
  for (char digit = '0'; digit <= '9'; ++digit) marks.digits.push_back(digit);
  for (char end : {'.', '!', '?', '\0'}) marks.separators.push_back(end);
  return marks;
}

const Registry<TaskSettings>& tasks() {
  static const Registry<TaskSettings> registry = {
      {"text", "next-token prediction on a text", "", "", make_kind<TaskSettings, TextSettings>},
  };
  return registry;
}

}  // namespace ropewalk::config
