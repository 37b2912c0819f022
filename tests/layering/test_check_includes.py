"""The include check on a synthetic tree: it passes a good one and names the line of each kind of violation."""
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
import check_includes

GOOD = {
    "framework/core/tensor.hpp": "#include <vector>\n",
    "framework/kernels/gemm.hpp": '#include "framework/core/tensor.hpp"\n',
    "framework/kernels/gemm_onednn.cpp": "#include <oneapi/dnnl/dnnl.hpp>\n",
    "framework/kernels/gemm_eigen.cpp": "#include <Eigen/Core>\n",
    "framework/ops/matmul.cpp": '#include "framework/kernels/gemm.hpp"\n',
    "framework/positional/rope.cpp": '#include "framework/ops/matmul.hpp"\n',
    "framework/nn/attention.cpp": '#include "framework/positional/rope.hpp"\n',
    "framework/optimize/adamw.cpp": '#include "framework/kernels/gemm.hpp"\n',
    "experiments/config/parse.cpp": '#include <yaml-cpp/yaml.h>\n#include "framework/nn/attention.hpp"\n',
    "experiments/record/hdf5.cpp": "#include <hdf5.h>\n#include <fstream>\n",
}


def violations(changes):
    """Of the good tree with some files added or replaced."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        for name, text in {**GOOD, **changes}.items():
            path = root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        return check_includes.violations(root)


class CheckIncludes(unittest.TestCase):
    def assert_only_fault(self, path, text, *expected):
        faults = violations({path: text})
        self.assertEqual(len(faults), 1, faults)
        for part in expected:
            self.assertIn(part, faults[0])

    def test_good_tree_passes(self):
        self.assertEqual(violations({}), [])

    def test_looking_up_is_named_with_its_line(self):
        self.assert_only_fault("framework/core/shape.cpp", '// why\n#include "framework/ops/matmul.hpp"\n',
                               "framework/core/shape.cpp:2:", "framework/ops/matmul.hpp", "nothing of ours")

    def test_every_upward_pair_of_layers_is_refused(self):
        layers = list(check_includes.BELOW)
        for here in layers:
            for there in set(layers) - {here} - check_includes.BELOW[here]:
                with self.subTest(here=here, there=there):
                    self.assert_only_fault(f"{here}/x.cpp", f'#include "{there}/y.hpp"\n', f"{here} may not include")

    def test_positional_may_not_know_attention(self):
        self.assert_only_fault("framework/positional/alibi.cpp", '#include "framework/nn/attention.hpp"\n', "positional may not")

    def test_spacing_does_not_hide_an_include(self):
        self.assert_only_fault("framework/core/shape.cpp", '#  include   "framework/nn/module.hpp"\n', "may not include")

    def test_folder_outside_the_layers(self):
        self.assert_only_fault("framework/extra/x.cpp", "#include <vector>\n", "in no known layer")

    def test_onednn_elsewhere(self):
        self.assert_only_fault("framework/kernels/softmax.cpp", "#include <oneapi/dnnl/dnnl.hpp>\n", "gemm_onednn.cpp alone")

    def test_second_hdf5_file(self):
        self.assert_only_fault("experiments/report/read.cpp", "#include <hdf5_hl.h>\n", "exactly one", "hdf5.cpp", "read.cpp")

    def test_no_hdf5_file(self):
        self.assert_only_fault("experiments/record/hdf5.cpp", "#include <vector>\n", "exactly one", "got 0")

    def test_yaml_outside_config(self):
        self.assert_only_fault("experiments/run/launch.cpp", "#include <yaml-cpp/yaml.h>\n", "experiments/config/ alone")

    def test_heavy_library_in_a_header(self):
        self.assert_only_fault("experiments/config/parse.hpp", "#include <yaml-cpp/yaml.h>\n", "out of headers")

    def test_engine_with_files(self):
        for header in check_includes.FILE_ACCESS:
            with self.subTest(header=header):
                self.assert_only_fault("framework/core/log.cpp", f"#include <{header}>\n", "knows no files")


if __name__ == "__main__":
    unittest.main()
