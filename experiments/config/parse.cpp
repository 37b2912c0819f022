#include "experiments/config/parse.hpp"

#include <fmt/core.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

#include <algorithm>
#include <map>
#include <sstream>
#include <string_view>
#include <utility>
#include <vector>

#include "experiments/config/syntax_error.hpp"
#include "experiments/config/text.hpp"

namespace ropewalk::config {
namespace {

// An anchor and each of its aliases hold a copy, so a few nested ones can ask for any amount of memory.
constexpr std::size_t most_values = 100'000;
constexpr std::size_t most_nested = 100;

class Builder final : public YAML::EventHandler {
 public:
  /// `text`: what is being parsed, from where the library counts positions.
  Builder(std::string_view text, const std::string& origin, Lines lines, Complaints& complaints)
      : text_(text), origin_(origin), lines_(lines), complaints_(complaints) {}

  Tree take() { return std::move(root_); }

  // The library counts from 0, and gives -1 for a place it does not know.
  Place place(const YAML::Mark& mark) const {
    if (lines_ == Lines::hidden || mark.is_null()) return {origin_, 0, 0};
    return {origin_, mark.line + 1, mark.column + 1};
  }

  void OnDocumentStart(const YAML::Mark& mark) override {
    if (documents_++ > 0) throw YAML::ParserException(mark, "a second document; a config is one");
  }
  void OnDocumentEnd() override {}

  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    Tree node;
    const bool after_key = !open_.empty() && open_.back().key != KeyState::none;
    node.place = after_key && !is_written(mark) ? open_.back().pending.place : place(mark);
    deliver(std::move(node), anchor, mark);
  }

  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor, const std::string& text) override {
    refuse_tag(mark, tag);
    const bool quoted = tag == "!";
    if (quoted && !is_closed(text_, static_cast<std::size_t>(mark.pos)))
      throw YAML::ParserException(mark, "a quote that is never closed");
    deliver(Tree::scalar(text, place(mark), quoted), anchor, mark);
  }

  void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    const auto found = anchors_.find(anchor);
    if (found == anchors_.end()) throw YAML::ParserException(mark, "an alias inside the value it stands for");
    values_ += count(found->second);
    deliver(found->second, 0, mark);
  }

  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value) override {
    open(Tree::list(place(mark)), mark, tag, anchor);
  }

  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor, YAML::EmitterStyle::value) override {
    open(Tree::map(place(mark)), mark, tag, anchor);
  }

  void OnSequenceEnd() override { close(); }
  void OnMapEnd() override { close(); }

 private:
  enum class KeyState { none, good, refused };

  // A list or map whose end has not come yet; for a map also the key whose value comes next.
  struct Open {
    Tree node;
    YAML::anchor_t anchor;
    YAML::Mark mark;
    Entry pending;
    KeyState key;
  };

  // A null that is nothing at all is marked where the next thing begins, lines later perhaps.
  bool is_written(const YAML::Mark& mark) const {
    const std::string_view rest = text_.substr(std::min(text_.size(), static_cast<std::size_t>(std::max(mark.pos, 0))));
    return rest.starts_with('~') || rest.starts_with("null") || rest.starts_with("Null") || rest.starts_with("NULL");
  }

  // Untagged values have the tag "?", quoted ones "!".
  void refuse_tag(const YAML::Mark& mark, const std::string& tag) {
    if (tag.empty() || tag == "?" || tag == "!") return;
    complaints_.add(place(mark), "", expected("a value without a tag", fmt::format("the tag <{}>", tag)) + "; remove it");
  }

  void open(Tree node, const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor) {
    refuse_tag(mark, tag);
    if (open_.size() == most_nested)
      throw YAML::ParserException(mark, fmt::format("more than {} values inside each other", most_nested));
    open_.push_back({std::move(node), anchor, mark, {}, KeyState::none});
  }

  void close() {
    Open closed = std::move(open_.back());
    open_.pop_back();
    deliver(std::move(closed.node), closed.anchor, closed.mark);
  }

  void deliver(Tree node, YAML::anchor_t anchor, const YAML::Mark& mark) {
    values_ += anchor != 0 ? 1 + count(node) : 1;
    if (values_ > most_values) throw YAML::ParserException(mark, fmt::format("more than {} values", most_values));
    if (anchor != 0) anchors_[anchor] = node;
    if (open_.empty()) {
      root_ = std::move(node);
    } else if (open_.back().node.is(Tree::Form::list)) {
      open_.back().node.items.push_back(std::move(node));
    } else if (open_.back().key == KeyState::none) {
      take_key(open_.back(), node);
    } else {
      take_value(open_.back(), std::move(node));
    }
  }

  void take_key(Open& map, const Tree& key) {
    map.pending = {key.text, key.place, Tree()};
    map.key = is_good_key(map.node, key) ? KeyState::good : KeyState::refused;
  }

  bool is_good_key(const Tree& map, const Tree& key) {
    if (!key.is(Tree::Form::scalar)) {
      complaints_.add(key.place, "", expected("a name before the colon", describe(key)));
      return false;
    }
    if (key.text == "<<") {
      complaints_.add(key.place, "", "expected a name, got the merge key <<; use `extends: other.yaml` to build on a file");
      return false;
    }
    const Entry* first = map.find(key.text);
    if (first) {
      const std::string where = first->place.line > 0 ? ", first given at " + to_string(first->place) : "";
      complaints_.add(key.place, "", expected("each key once", fmt::format("{} again{}", key.text, where)));
    }
    return first == nullptr;
  }

  static void take_value(Open& map, Tree value) {
    if (map.key == KeyState::good) {
      map.pending.value = std::move(value);
      map.node.entries.push_back(std::move(map.pending));
    }
    map.key = KeyState::none;
  }

  std::string_view text_;
  const std::string& origin_;
  Lines lines_;
  Complaints& complaints_;
  Tree root_;
  std::vector<Open> open_;
  std::map<YAML::anchor_t, Tree> anchors_;
  std::size_t values_ = 0;
  int documents_ = 0;
};

}  // namespace

std::optional<Tree> parse(const std::string& text, const std::string& origin, Lines lines, Complaints& complaints) {
  if (const std::optional<BadByte> bad = find_bad_byte(text)) {
    const Place place = lines == Lines::shown ? Place{origin, bad->line, bad->column} : Place{origin, 0, 0};
    complaints.add(place, "", expected("UTF-8 text", fmt::format("the byte 0x{:02x}", bad->value)));
    return std::nullopt;
  }
  const std::string body = text.substr(after_byte_order_mark(text));
  std::istringstream stream(body);
  Builder builder(body, origin, lines, complaints);
  try {
    YAML::Parser parser(stream);
    while (parser.HandleNextDocument(builder)) continue;
  } catch (const YAML::ParserException& error) {
    add_syntax_error(body, builder.place(error.mark), error.msg, complaints);
    return std::nullopt;
  }
  return builder.take();
}

}  // namespace ropewalk::config
