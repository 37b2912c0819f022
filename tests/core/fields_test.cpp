#include "framework/core/fields.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "framework/core/registry.hpp"

namespace ropewalk {
namespace {

struct Shape {
  virtual ~Shape() = default;
  virtual void describe(Fields&) {}
};

struct Circle final : Shape {
  double radius = 1;
  void describe(Fields& fields) override { fields.add("radius", radius, ""); }
};

const Registry<Shape>& shapes();

// Holds one shape and a list of them.
struct Group final : Shape {
  Choice<Shape> frame{shapes(), "point"};
  ChoiceList<Shape> members{shapes(), {"circle"}};
  void describe(Fields& fields) override {
    fields.selection("frame", frame, "");
    fields.selections("members", members, "");
  }
};

const Registry<Shape>& shapes() {
  static const Registry<Shape> registry = {
      {"group", "", "", "", make_kind<Shape, Group>},  // first: making an element must not make groups inside groups for ever
      {"point", "", "", "", make_kind<Shape, Shape>},
      {"circle", "", "", "", make_kind<Shape, Circle>},
  };
  return registry;
}

double& radius(Choice<Shape>& shape) { return dynamic_cast<Circle&>(*shape).radius; }
Group& group(Choice<Shape>& shape) { return dynamic_cast<Group&>(*shape); }

std::vector<std::string> kinds(const ChoiceList<Shape>& list) {
  std::vector<std::string> kinds;
  for (const Choice<Shape>& element : list) kinds.push_back(element.kind());
  return kinds;
}

// A group in a circle of radius 2, of a point and an inner group of one circle of radius 3.
Choice<Shape> nested() {
  Choice<Shape> outer(shapes(), "group");
  group(outer).frame.select("circle");
  radius(group(outer).frame) = 2;
  group(outer).members.clear();
  group(outer).members.append().select("point");
  Choice<Shape>& inner = group(outer).members.append();
  radius(group(inner).members[0]) = 3;
  return outer;
}

void expect_nested(Choice<Shape>& outer) {
  EXPECT_EQ(radius(group(outer).frame), 2);
  ASSERT_EQ(kinds(group(outer).members), (std::vector<std::string>{"point", "group"}));
  EXPECT_EQ(radius(group(group(outer).members[1]).members[0]), 3);
}

TEST(ChoiceList, HoldsTheKindsItWasMadeOf) {
  ChoiceList<Shape> list(shapes(), {"circle", "point", "circle"});
  EXPECT_EQ(kinds(list), (std::vector<std::string>{"circle", "point", "circle"}));
  EXPECT_EQ(list.append().kind(), "group");
  EXPECT_EQ(list.size(), 4u);
  list.clear();
  EXPECT_EQ(list.size(), 0u);
  EXPECT_THROW(ChoiceList<Shape>(shapes(), {"cricle"}), Error);
}

TEST(ChoiceList, AnElementOfItsFamilyIsNotInTheList) {
  const ChoiceList<Shape> list(shapes(), {});
  const std::unique_ptr<Selection> element = list.element();
  EXPECT_EQ(element->kind(), "group");
  EXPECT_EQ(element->options().size(), 3u);
  EXPECT_EQ(list.size(), 0u);
}

TEST(ChoiceList, ElementsStayWhereTheyAreWhileOthersAreAppended) {
  ChoiceList<Shape> list(shapes(), {"circle"});
  const Choice<Shape>* first = &list[0];
  const Shape* object = &*list[0];
  for (int i = 0; i < 1000; ++i) list.append();
  EXPECT_EQ(&list[0], first);
  EXPECT_EQ(&*list[0], object);
}

TEST(ChoiceList, ACopyHasObjectsOfItsOwn) {
  ChoiceList<Shape> list(shapes(), {"circle"});
  ChoiceList<Shape> copy = list, assigned(shapes(), {"point", "point"});
  radius(list[0]) = 5;
  EXPECT_EQ(radius(copy[0]), 1);
  assigned = list;
  ASSERT_EQ(assigned.size(), 1u);
  EXPECT_EQ(radius(assigned[0]), 5);
  radius(assigned[0]) = 6;
  EXPECT_EQ(radius(list[0]), 5);
}

TEST(Choice, ACopyHoldsWhatIsInsideAndSharesNothing) {
  Choice<Shape> outer = nested();
  Choice<Shape> copy = outer, assigned(shapes(), "point");
  assigned = outer;
  const std::unique_ptr<Selection> other = outer.copy();
  radius(group(outer).frame) = 7;
  radius(group(group(outer).members[1]).members[0]) = 8;
  group(outer).members.append();
  expect_nested(copy);
  expect_nested(assigned);
  expect_nested(dynamic_cast<Choice<Shape>&>(*other));
}

TEST(Fields, CopyValuesReachesInsideKindsAndLists) {
  Choice<Shape> outer = nested(), target(shapes(), "group");
  copy_values(outer.fields(), target.fields());
  expect_nested(target);
}

}  // namespace
}  // namespace ropewalk
