#!/usr/bin/env python3
"""Installs into an empty folder and uses what is there; one TAP line a check.

    run.py SOURCE BUILD MESON_COMMAND CC CXX

CC and CXX are commands; CXX may be empty.  C++ sees the headers with FLINT 2 and 3 alike.
"""
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent.parent / "tools"))
import public_symbols  # noqa: E402
import taplines  # noqa: E402


class Tap(taplines.Tap):
    def equal(self, got, want, name):
        self.line(got == want, name, f"got {got!r}\nwant {want!r}")


def run(command, **extra):
    env = dict(os.environ, **extra.pop("env", {}))
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False, env=env,
                          **extra)


class Installed:
    """Where things lie: `root` is DESTDIR."""

    def __init__(self, root, build, meson):
        self.root = root
        self.log = run(meson + ["install", "-C", build, "--no-rebuild", "--destdir", str(root)])
        found = list(root.rglob("ckda.pc"))
        self.pc = found[0] if found else root / "ckda.pc"
        self.lib = self.pc.parent.parent
        self.include = next((p.parent for p in root.rglob("ckda") if (p / "ckda.h").exists()), root)
        self.bin = next((p.parent for p in root.rglob("ckda") if p.is_file() and os.access(p, os.X_OK)
                         and p.parent.name == "bin"), root)

    def flags(self, *what):
        """pkg-config's answer, with our own two folders moved under DESTDIR."""
        env = {"PKG_CONFIG_PATH": str(self.pc.parent), "PKG_CONFIG_ALLOW_SYSTEM_CFLAGS": "1",
               "PKG_CONFIG_ALLOW_SYSTEM_LIBS": "1"}
        done = run(["pkg-config", *what, "ckda"], env=env)
        answer = shlex.split(done.stdout) if done.returncode == 0 else []
        moved = {f"-I/{self.include.relative_to(self.root)}": f"-I{self.include}",
                 f"-L/{self.lib.relative_to(self.root)}": f"-L{self.lib}"}
        return [moved.get(flag, flag) for flag in answer]


def check_files(tap, at, source):
    tap.line(at.log.returncode == 0, "meson install", at.log.stdout)
    for name in ["ckda", "ckda-recheck"]:
        tap.line((at.bin / name).exists(), f"{name} is installed")
    headers = sorted(p.name for p in (source / "include" / "ckda").glob("*.h"))
    tap.equal(sorted(p.name for p in (at.include / "ckda").glob("*")), headers, "all public headers and no other file")
    everything = (at.include / "ckda" / "ckda.h").read_text(encoding="utf-8")
    missing = [h for h in headers if h not in ("ckda.h", "flint_compat.h") and f'"ckda/{h}"' not in everything]
    tap.equal(missing, [], "ckda.h includes every public header")
    texts = [at.pc] + [p for p in at.root.rglob("*") if p.is_file() and p.suffix in (".1", ".h", ".fish")]
    own = [str(p) for p in texts if str(source) in p.read_text(encoding="utf-8")]
    tap.equal(own, [], "no text names the source folder")


def check_library(tap, at):
    names = os.listdir(at.lib)
    version = re.search(r"^Version: (.*)$", at.pc.read_text(encoding="utf-8"), re.M)[1]
    so_name = "libckda.so." + version.split(".")[0]
    tap.line({"libckda.so", so_name, "libckda.so." + version} <= set(names), "versioned shared library", names)
    dynamic = run(["readelf", "-d", str(at.lib / "libckda.so")]).stdout
    tap.line(f"[{so_name}]" in dynamic, "its soname has the major version", dynamic)
    listed = run(["nm", "-D", "--defined-only", str(at.lib / "libckda.so")]).stdout
    exported = sorted(line.split()[-1].split("@")[0] for line in listed.splitlines() if line.split()[-2] != "A")
    headers = sorted((at.include / "ckda").glob("*.h"))
    wanted = public_symbols.all_names(headers)
    tap.line(len(wanted) > 100, "the headers declare many functions", wanted)
    tap.equal(sorted(set(wanted) - set(exported)), [], "every function of the headers is exported")
    tap.equal(sorted(set(exported) - set(wanted)), [], "nothing else is exported")
    for program in ["ckda", "ckda-recheck"]:
        paths = re.findall(r"R(?:UN)?PATH.*\[(.*)\]", run(["readelf", "-d", str(at.bin / program)]).stdout)
        tap.equal(paths, [], f"{program} has no run path into the build folder")


def check_c(tap, at, source, cc, out):
    for example in ["reach", "exact"]:
        file = source / "docs" / "examples" / f"{example}.c"
        flags = ["-std=c11", "-Wall", "-Wextra", "-Werror", "-O1"]
        done = run(cc + flags + [str(file), "-o", str(out / example)] + at.flags("--cflags", "--libs"))
        tap.line(done.returncode == 0, f"{example}.c compiles with pkg-config's flags", done.stdout)
        done = run([str(out / example)], env={"LD_LIBRARY_PATH": str(at.lib)})
        want = file.with_suffix(".out").read_text(encoding="utf-8")
        tap.equal(done.stdout, want, f"{example}.c prints what {example}.out says")
    # A function that is no part of the interface must not link.
    (out / "hidden.c").write_text("void ckda_recheck_any(void);\nvoid ckda_cli_main(void);\n"
                                  "int main(void) { ckda_cli_main(); return 0; }\n", encoding="utf-8")
    done = run(cc + [str(out / "hidden.c"), "-o", str(out / "hidden")] + at.flags("--cflags", "--libs"))
    tap.line(done.returncode != 0 and "ckda_cli_main" in done.stdout, "an internal function does not link", done.stdout)


def check_cxx(tap, at, cxx, out):
    (out / "use.cc").write_text('#include <cstdio>\n#include <ckda/ckda.h>\n'
                                'int main() { ckda_field_t K; ckda_field_init_sqrt(K, 5);\n'
                                '    std::printf("%ld\\n", long(K->degree)); ckda_field_clear(K); }\n', encoding="utf-8")
    done = run(cxx + ["-std=c++17", "-Wall", "-Wextra", "-Werror", str(out / "use.cc"), "-o", str(out / "use")]
               + at.flags("--cflags", "--libs"))
    tap.line(done.returncode == 0, "ckda.h compiles from C++", done.stdout)
    tap.equal(run([str(out / "use")], env={"LD_LIBRARY_PATH": str(at.lib)}).stdout, "2\n", "and the program runs")


def check_programs(tap, at, out):
    done = run([str(at.bin / "ckda"), "list", "--json"], cwd=out)
    tap.line(done.returncode == 0 and '"ckda.list/1"' in done.stdout, "the installed ckda has its ledger", done.stdout)
    cert = out / "d3.cert"
    run([str(at.bin / "ckda"), "reach", "D3", "--certificate", str(cert)], cwd=out)
    done = run([str(at.bin / "ckda-recheck"), str(cert)], cwd=out)
    tap.line(done.stdout.endswith("s VERIFIED\n"), "the installed ckda-recheck verifies its certificate", done.stdout)


def main():
    source, build = pathlib.Path(sys.argv[1]), sys.argv[2]
    meson, cc, cxx = (shlex.split(argument) for argument in sys.argv[3:6])
    tap = Tap()
    with tempfile.TemporaryDirectory() as name:
        root, out = pathlib.Path(name) / "root", pathlib.Path(name) / "out"
        root.mkdir()
        out.mkdir()
        at = Installed(root, build, meson)
        check_files(tap, at, source)
        check_library(tap, at)
        check_c(tap, at, source, cc, out)
        if cxx:
            check_cxx(tap, at, cxx, out)
        check_programs(tap, at, out)
    return tap.end()


if __name__ == "__main__":
    sys.exit(main())
