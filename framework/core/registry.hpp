// Kinds of a family (schemes, optimizers, schedules, tasks …) by name, and the choice of one of them as a setting.
#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "framework/core/error.hpp"
#include "framework/core/fields.hpp"

namespace ropewalk {

/// One line of a registry. `Base` describes its settings through `void describe(Fields&)`.
template <class Base>
struct Kind {
  std::string name;
  std::string help;     ///< one line
  std::string formula;  ///< plain text, may be empty
  std::string paper;    ///< authors and year, may be empty
  std::function<std::unique_ptr<Base>()> make;
};

template <class Base>
using Registry = std::vector<Kind<Base>>;

template <class Base, class Derived>
std::unique_ptr<Base> make_kind() {
  return std::make_unique<Derived>();
}

/// A setting that holds one object out of a registry.
template <class Base>
class Choice final : public Selection {
 public:
  /// `registry` must outlive the choice (registries live as long as the program).
  Choice(const Registry<Base>& registry, const std::string& kind) : registry_(&registry) { select(kind); }
  /// A copy has an object of its own with the same settings, and nothing else of the other.
  Choice(const Choice& other) : registry_(other.registry_) { *this = other; }
  Choice& operator=(const Choice& other) {
    if (this == &other) return *this;
    registry_ = other.registry_;
    select(other.kind_);
    Fields from, to;
    other.object_->describe(from);
    object_->describe(to);
    copy_values(from, to);
    return *this;
  }

  std::string kind() const override { return kind_; }

  std::vector<Option> options() const override {
    std::vector<Option> options;
    for (const Kind<Base>& kind : *registry_) options.push_back({kind.name, kind.help});
    return options;
  }

  void select(const std::string& name) override {
    for (const Kind<Base>& kind : *registry_) {
      if (kind.name != name) continue;
      object_ = kind.make();
      kind_ = name;
      return;
    }
    throw Error(fmt::format("no kind '{}' in this registry", name));
  }

  Fields fields() override {
    Fields fields;
    object_->describe(fields);
    return fields;
  }

  std::unique_ptr<Selection> copy() const override { return std::make_unique<Choice>(*this); }

  Base& operator*() { return *object_; }
  const Base& operator*() const { return *object_; }
  Base* operator->() { return object_.get(); }
  const Base* operator->() const { return object_.get(); }

 private:
  const Registry<Base>* registry_;
  std::string kind_;
  std::unique_ptr<Base> object_;
};

/// A setting that holds any number of objects out of a registry, in order; each may be of any kind.
template <class Base>
class ChoiceList final : public SelectionList {
 public:
  /// `registry` must outlive the list and not be empty.
  ChoiceList(const Registry<Base>& registry, const std::vector<std::string>& kinds) : registry_(&registry) {
    for (const std::string& kind : kinds) choices_.emplace_back(registry, kind);
  }

  std::size_t size() const override { return choices_.size(); }
  Choice<Base>& operator[](std::size_t index) override { return choices_[index]; }
  const Choice<Base>& operator[](std::size_t index) const { return choices_[index]; }
  void clear() override { choices_.clear(); }
  Choice<Base>& append() override { return choices_.emplace_back(*registry_, registry_->front().name); }
  std::unique_ptr<Selection> element() const override {
    return std::make_unique<Choice<Base>>(*registry_, registry_->front().name);
  }

  auto begin() { return choices_.begin(); }
  auto begin() const { return choices_.begin(); }
  auto end() { return choices_.end(); }
  auto end() const { return choices_.end(); }

 private:
  const Registry<Base>* registry_;
  std::deque<Choice<Base>> choices_;  // a deque: what points into an element stays valid while others are appended
};

}  // namespace ropewalk
