"""The README of the positional schemes: its example is the one that the tests run, and it names what there is."""
import re
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
POSITIONAL = ROOT / "framework" / "positional"
README = (POSITIONAL / "README.md").read_text(encoding="utf-8")


class PositionalReadme(unittest.TestCase):
    def test_the_example_is_the_tested_file(self):
        shown = re.findall(r"<!-- example -->\n```cpp\n(.*?)```\n<!-- end of example -->", README, re.DOTALL)
        example = ROOT / "tests" / "positional" / "example_scheme.hpp"
        self.assertEqual(shown, [example.read_text(encoding="utf-8")])

    def test_links_lead_to_files(self):
        links = re.findall(r"\]\(([^)#:]+)\)", re.sub(r"```.*?```", "", README, flags=re.DOTALL))
        self.assertTrue(links)
        for link in links:
            self.assertTrue((POSITIONAL / link).is_file(), link)

    def test_every_trait_and_hook_is_named(self):
        declared = (POSITIONAL / "scheme.hpp").read_text(encoding="utf-8")
        traits = re.findall(r"^  (?:bool|std::string) (\w+) = ", declared[declared.index("struct Traits") :], re.MULTILINE)
        hooks = re.findall(r"^  virtual [^(]*?(\w+)\(", declared, re.MULTILINE)
        self.assertIn("absolute", traits)
        self.assertIn("effect", hooks)
        for name in {*traits, *hooks} - {"clone", "Scheme"}:
            self.assertIn(f"`{name}`", README)


if __name__ == "__main__":
    unittest.main()
