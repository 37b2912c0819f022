#include "framework/core/fields.hpp"

#include <type_traits>
#include <utility>

namespace ropewalk {
namespace {

void copy_selection(Selection& from, Selection& to) {
  to.select(from.kind());
  copy_values(from.fields(), to.fields());
}

void copy_selections(SelectionList& from, SelectionList& to) {
  to.clear();
  for (std::size_t i = 0; i < from.size(); ++i) copy_selection(from[i], to.append());
}

}  // namespace

Field& Field::at_least(double bound) {
  minimum = bound;
  minimum_open = false;
  return *this;
}

Field& Field::above(double bound) {
  minimum = bound;
  minimum_open = true;
  return *this;
}

Field& Field::at_most(double bound) {
  maximum = bound;
  maximum_open = false;
  return *this;
}

Field& Field::below(double bound) {
  maximum = bound;
  maximum_open = true;
  return *this;
}

Field& Field::limit_to(double bound) {
  limit = bound;
  return *this;
}

Field& Field::one_of(std::vector<std::string> words) {
  choices = std::move(words);
  return *this;
}

Field& Field::implied_by_model() {
  implied = true;
  return *this;
}

Field& Field::elements(std::size_t at_least, std::size_t at_most) {
  smallest = at_least;
  largest = at_most;
  return *this;
}

void copy_values(const Fields& from, const Fields& to) {
  for (std::size_t i = 0; i < from.all().size(); ++i) {
    const auto copy = [&](auto source) {
      const auto target = std::get<decltype(source)>(to.all()[i].target);
      if constexpr (std::is_same_v<decltype(source), Field::Section>) {
        copy_values(*source, *target);
      } else if constexpr (std::is_same_v<decltype(source), Selection*>) {
        copy_selection(*source, *target);
      } else if constexpr (std::is_same_v<decltype(source), SelectionList*>) {
        copy_selections(*source, *target);
      } else {
        *target = *source;
      }
    };
    std::visit(copy, from.all()[i].target);
  }
}

Field& Fields::append(std::string name, Field::Target target, std::string help) {
  Field field;
  field.name = std::move(name);
  field.target = std::move(target);
  field.help = std::move(help);
  fields_.push_back(std::move(field));
  return fields_.back();
}

}  // namespace ropewalk
