// Settings, declared once: name, pointer, bounds and help. The same declaration reads YAML, writes the resolved config and
// prints `ropewalk list settings`; the engine itself knows no YAML.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace ropewalk {

class Fields;

/// One of several kinds of object, chosen by name, each with settings of its own: YAML `{kind: rope, base: 500}`.
class Selection {
 public:
  struct Option {
    std::string name;
    std::string help;
  };

  virtual ~Selection() = default;
  /// Name of the kind that is selected now.
  virtual std::string kind() const = 0;
  virtual std::vector<Option> options() const = 0;
  /// Selects a kind and gives its settings their defaults. `name` must be one of `options()`.
  virtual void select(const std::string& name) = 0;
  /// Settings of the selected kind, `kind` itself left out.
  virtual Fields fields() = 0;
  /// Another selection of the same kind, with settings of its own.
  virtual std::unique_ptr<Selection> copy() const = 0;
};

/// Several selections out of one family, in order: YAML `[{kind: sinusoidal}, {kind: alibi, slopes: learned}]`.
class SelectionList {
 public:
  virtual ~SelectionList() = default;
  virtual std::size_t size() const = 0;
  virtual Selection& operator[](std::size_t index) = 0;
  virtual void clear() = 0;
  /// Adds an element of the family's first kind.
  virtual Selection& append() = 0;
  /// Such an element that is not in the list.
  virtual std::unique_ptr<Selection> element() const = 0;
};

/// One setting. Bounds hold for a number, or for every element of a list of numbers.
struct Field {
  using Section = std::shared_ptr<Fields>;
  using Target = std::variant<bool*, std::int64_t*, double*, std::string*, std::vector<std::int64_t>*, std::vector<double>*,
                              std::vector<std::string>*, Section, Selection*, SelectionList*>;

  std::string name;
  Target target;
  std::string help;
  double minimum = -std::numeric_limits<double>::infinity();
  double maximum = std::numeric_limits<double>::infinity();
  double limit = std::numeric_limits<double>::infinity();  ///< far beyond any use; a larger number is a slip
  bool minimum_open = false;                               ///< the minimum itself is not allowed
  bool maximum_open = false;
  std::vector<std::string> choices;              ///< for text: the allowed words, empty if free
  std::optional<std::size_t> smallest, largest;  ///< for a list: how many elements
  bool implied = false;  ///< its default stands for something of the model, and is replaced by that once the model is known

  Field& at_least(double bound);
  Field& above(double bound);
  Field& at_most(double bound);
  Field& below(double bound);
  Field& limit_to(double bound);
  Field& one_of(std::vector<std::string> words);
  Field& implied_by_model();
  Field& elements(std::size_t at_least, std::size_t at_most = std::numeric_limits<std::size_t>::max());
};

/// The settings of one struct, in the order they are declared. Holds pointers into the struct: do not outlive it.
class Fields {
 public:
  template <class T>
  Field& add(std::string name, T& target, std::string help) {
    return append(std::move(name), Field::Target(&target), std::move(help));
  }

  /// A nested struct that describes itself through `void describe(Fields&)`.
  template <class T>
  Field& section(std::string name, T& nested, std::string help) {
    auto fields = std::make_shared<Fields>();
    nested.describe(*fields);
    return append(std::move(name), Field::Target(std::move(fields)), std::move(help));
  }

  /// Inside a kind, of another family than its own: its settings would have no end. A list of its own family is fine.
  Field& selection(std::string name, Selection& choice, std::string help) {
    return append(std::move(name), Field::Target(&choice), std::move(help));
  }

  Field& selections(std::string name, SelectionList& list, std::string help) {
    return append(std::move(name), Field::Target(&list), std::move(help));
  }

  std::vector<Field>& all() { return fields_; }
  const std::vector<Field>& all() const { return fields_; }

 private:
  Field& append(std::string name, Field::Target target, std::string help);

  std::vector<Field> fields_;
};

/// Copies every value from settings to others of the same declaration.
void copy_values(const Fields& from, const Fields& to);

}  // namespace ropewalk
