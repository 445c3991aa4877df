#!/usr/bin/env python3
"""When does one CKDA step in the plane have a complex pair?  Exact answers over --json."""
import json
import subprocess
import tempfile


def spectrum(beta, key, gate):
    with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
        json.dump({"family": "ckda", "beta": beta, "key": key, "gate": gate}, file)
        file.flush()
        done = subprocess.run(["ckda", "spectrum", "--json", file.name], stdout=subprocess.PIPE, check=True)
    return json.loads(done.stdout)


print("beta   gate  charpoly                     pairs  on the circle")
for beta in ["1/2", "1", "3/2", "2"]:
    for gate in ["-1", "-1/4", "1/4"]:
        s = spectrum(beta, ["1", "2"], [gate, "1"])
        print(f'{beta:5}  {gate:4}  {" ".join(s["charpoly"]):27}  {s["nonreal_pairs"]:5}  {s["unit_circle_pairs"]}')
