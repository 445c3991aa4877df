"""PARI/GP and GAP: how they are started, and one run of each for all questions.

A question is a call of functions of LIBRARIES, in which ID stands for its number; they print what
they find as `@ID PATH VALUE` lines.  An error in one question leaves the others alone.
"""
import pathlib
import re
import shutil
import subprocess

HERE = pathlib.Path(__file__).resolve().parent
COMMANDS = {
    "gp": ["gp", "-q", "-f", "--default", "parisize=256000000",
           "--default", "parisizemax=1000000000"],
    "gap": ["gap", "-A", "-b", "-q", "-r", "-x", "100000", "-o", "4g"],
}
LIBRARIES = {"gp": ["field.gp", "spectrum.gp", "orbit.gp", "networks.gp"], "gap": ["field.g", "groups.g", "layers.g", "claims.g"]}


def missing():
    return [name for name in COMMANDS if shutil.which(name) is None]


def value(text):
    """What a system printed, as JSON would have it: true, false, null, an integer, else text."""
    text = text.strip().replace("+-", "-")
    if text in ("true", "false", "null"):
        return {"true": True, "false": False, "null": None}[text]
    return int(text) if re.fullmatch(r"-?\d+", text) else text


def ask(name, questions):
    """questions: number -> program text; returns number -> {path: value}, and complaints.

    Both systems end with exit code 0 whatever happened, so the complaints are what else they printed
    and the questions that nothing was printed for.
    """
    if not questions:
        return {}, []
    program = "".join((HERE / file).read_text(encoding="utf-8") for file in LIBRARIES[name])
    for number, text in questions.items():
        program += re.sub(r"\bID\b", str(number), text) + "\n"
    run = subprocess.run(COMMANDS[name], input=program, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                         text=True, check=False)
    answers, rest = {number: {} for number in questions}, []
    for line in (run.stdout + run.stderr).splitlines():
        match = re.match(r"@(\d+) (\S+) (.*)", line)
        if match:
            answers[int(match[1])][match[2]] = value(match[3])
        elif line.strip():
            rest.append(line)
    complaints = [f"{name}: " + "\n".join(rest)] if rest else []
    complaints += [f"{name}: no answer to {questions[number]}" for number, answer in answers.items() if not answer]
    return answers, complaints
