"""Reads the window as a screen reader does, over AT-SPI, and presses what it finds there. Run by access.rs under a bus of its own."""

import sys
import time

import gi

gi.require_version("Atspi", "2.0")
from gi.repository import Atspi  # noqa: E402


def all_of(node, depth=0):
    """A node and all below it."""
    if node is None or depth > 40:
        return
    yield node
    for index in range(node.get_child_count()):
        yield from all_of(node.get_child_at_index(index), depth + 1)


def window():
    desktop = Atspi.get_desktop(0)
    for index in range(desktop.get_child_count()):
        child = desktop.get_child_at_index(index)
        if child is not None and "skirmish" in (child.get_name() or "").lower():
            return child
    return None


def found(name):
    """The node of this name, as soon as there is one."""
    end = time.monotonic() + 40
    while time.monotonic() < end:
        try:
            for node in all_of(window()):
                if node.get_name() == name:
                    return node
        except Exception:
            pass  # What is read may go while it is read.
        time.sleep(0.2)
    names = sorted({node.get_name() for node in all_of(window())})
    sys.exit(f"no control is called {name!r}; there are {names}")


def press(name):
    found(name).get_action_iface().do_action(0)
    time.sleep(0.6)


for name in ["File", "Run", "Help", "quadtree", "linked grid", "Run or pause", "Commands"]:
    found(name)
capacity = found("capacity")
assert capacity.get_role_name() == "slider", capacity.get_role_name()
assert capacity.get_value_iface().get_current_value() == 8.0
capacity.get_value_iface().set_current_value(12.0)
time.sleep(0.6)
press("linked grid")
press("Run or pause")
press("Run")
found("One step")
print("all is there")
