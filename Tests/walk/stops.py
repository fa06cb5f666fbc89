"""Within gdb: stops once at each function of functions.json, and writes to entered.json which were entered, in order."""
import json
import os
import pathlib

import gdb

folder = pathlib.Path(os.environ["WALK_FOLDER"])
process = os.environ["WALK_PROCESS"]
functions = {int(address): place for address, place in json.loads((folder / "functions.json").read_text()).items()}
entered = []

for setting in ["pagination off", "breakpoint always-inserted on", "print thread-events off", "auto-solib-add off"]:
    gdb.execute("set " + setting)
gdb.execute("handle SIGPIPE nostop noprint pass")
gdb.execute("handle SIGTERM stop nopass")

# Where the system has put the binary.
with open(f"/proc/{process}/maps") as maps:
    name = os.readlink(f"/proc/{process}/exe")
    base = next(int(line.split("-")[0], 16) for line in maps if line.rstrip().endswith(name))

stops = {
    base + address: (gdb.Breakpoint(f"*{base + address:#x}", internal=True), place) for address, place in functions.items()
}
(folder / "set").touch()
while True:
    gdb.execute("continue", to_string=True)
    stop = stops.pop(int(gdb.parse_and_eval("$pc")), None)
    if stop is None:
        break  # a signal: the walk is over
    stop[0].delete()
    entered.append(stop[1])
(folder / "entered.json").write_text(json.dumps(entered))
