"""Writes the tables of character sets that come from ICU: `mixed.txt`, and three lines of `single_byte.txt`.

Source: the converters of ICU 72 (libicuuc, as Debian 12 installs it; data under the Unicode licence), asked through its
C interface for every byte, every pair of bytes and every character of Unicode:
ibm-930_P120-1999, ibm-939_P120-1999, ibm-1388_P103-2001, ibm-424_P100-1995, ibm-1129_P100-1997, ibm-5348_P100-1997.

Run it beside the two files: `python3 character_sets.py` writes them, `python3 character_sets.py --check` compares.
"""

import ctypes
import glob
import pathlib
import re
import sys

HERE = pathlib.Path(__file__).parent
SINGLE = {424: "ibm-424_P100-1995", 1129: "ibm-1129_P100-1997", 5348: "ibm-5348_P100-1997"}
MIXED = {930: "ibm-930_P120-1999", 939: "ibm-939_P120-1999", 1388: "ibm-1388_P103-2001"}
PLANES = {930: 300, 939: 300, 1388: 4933}
SHIFT_OUT, SHIFT_IN = 0x0E, 0x0F
LIBRARY = sorted(glob.glob("/usr/lib/*/libicuuc.so.72"))[0]
ICU = ctypes.CDLL(LIBRARY)


def function(name):
    return getattr(ICU, name + "_72")


class Converter:
    """One converter, which stops at the first character it does not have."""

    def __init__(self, name):
        status = ctypes.c_int(0)
        function("ucnv_open").restype = ctypes.c_void_p
        self.handle = ctypes.c_void_p(function("ucnv_open")(name.encode(), ctypes.byref(status)))
        for setter, action in (
            ("ucnv_setToUCallBack", "UCNV_TO_U_CALLBACK_STOP"),
            ("ucnv_setFromUCallBack", "UCNV_FROM_U_CALLBACK_STOP"),
        ):
            stop = ctypes.cast(function(action), ctypes.c_void_p)
            function(setter)(self.handle, stop, None, None, None, ctypes.byref(status))
        if status.value > 0:
            sys.exit(f"ICU has no converter {name}")
        function("ucnv_setFallback")(self.handle, ctypes.c_int8(1))
        self.room = ctypes.create_string_buffer(64)

    def point(self, row):
        """The character of a row of bytes, none if it is not exactly one."""
        status = ctypes.c_int(0)
        units = function("ucnv_toUChars")(self.handle, self.room, 16, row, len(row), ctypes.byref(status))
        if status.value > 0 or units == 0:
            return None
        text = self.room.raw[: 2 * units].decode("utf-16-le", "surrogatepass")
        return ord(text) if len(text) == 1 else None

    def bytes(self, point):
        """The bytes of a character; ICU leaves out characters that nobody sees, here they are missing like others."""
        status = ctypes.c_int(0)
        text = chr(point).encode("utf-16-le")
        length = function("ucnv_fromUChars")(
            self.handle, self.room, 32, text, len(text) // 2, ctypes.byref(status)
        )
        return None if status.value > 0 or length == 0 else self.room.raw[:length]


def digest(numbers):
    """FNV-1a over numbers of 32 bits, one step a number."""
    value = 0xCBF29CE484222325
    for number in numbers:
        value = ((value ^ number) * 0x100000001B3) & 0xFFFFFFFFFFFFFFFF
    return f"{value:016x}"


def hexadecimal(points):
    return "".join("----" if point is None else f"{point:04X}" for point in points)


def row(points):
    """A row of a plane: four digits a character, `+NN` for NN more that follow on, `-NN` for NN codes without one."""
    text, at = "", 0
    while at < len(points):
        step = 1
        if points[at] is None:
            while at + step < len(points) and points[at + step] is None:
                step += 1
            text += f"-{step:02X}"
        else:
            while at + step < len(points) and points[at + step] == points[at] + step:
                step += 1
            text += f"{points[at]:04X}" + (f"+{step - 1:02X}" if step > 1 else "")
        at += step
    return text


def mixed():
    head = [
        "# Mixed EBCDIC sets and their planes of two bytes. Written by character_sets.py, which says the format.",
        "# Source: ICU 72, converters " + ", ".join(MIXED.values()) + ".",
    ]
    lines, planes = [], {}
    for ccsid, name in MIXED.items():
        converter = Converter(name)
        shifts = (SHIFT_OUT, SHIFT_IN)
        single = [None if byte in shifts else converter.point(bytes([byte])) for byte in range(256)]
        pairs = [(lead, trail) for lead in range(0x40, 0x100) for trail in range(0x40, 0x100)]
        double = {pair: converter.point(bytes([SHIFT_OUT, *pair, SHIFT_IN])) for pair in pairs}
        points = [point for point in range(0x110000) if not 0xD800 <= point < 0xE000]
        written = {point: converter.bytes(point) for point in points}
        written = {point: row for point, row in written.items() if row is not None}
        reads = [0xFFFFFFFF if point is None else point for point in (*single, *double.values())]
        writes = [number for point, row in written.items() for number in (point, *row)]
        lines.append(f"digest {ccsid} {digest(reads)} {digest(writes)}")
        lines.append(f"single {ccsid} {PLANES[ccsid]} {hexadecimal(single)}")
        plane = []
        for lead in range(0x40, 0x100):
            codes = [double[lead, trail] for trail in range(0x40, 0x100)]
            if any(code is not None for code in codes):
                plane.append(f"row {PLANES[ccsid]} {lead:02X} {row(codes)}")
        for point, found in written.items():
            back = single[found[0]] if len(found) == 1 else double[found[1], found[2]]
            if back != point:
                code = found.hex() if len(found) == 1 else found[1:3].hex()
                plane.append(f"also {PLANES[ccsid]} {point:04X} {code.upper():0>4}")
        if planes.setdefault(PLANES[ccsid], plane) != plane:
            sys.exit(f"the plane of {ccsid} is not that of the others with its number")
    return "\n".join([*head, *lines, *(line for plane in planes.values() for line in plane)]) + "\n"


def single_byte(old):
    lines = {int(line.split(" ")[0]): line for line in old.splitlines()}
    for ccsid, name in SINGLE.items():
        converter = Converter(name)
        lines[ccsid] = f"{ccsid} " + hexadecimal([converter.point(bytes([byte])) for byte in range(256)])
    return "\n".join(lines[ccsid] for ccsid in sorted(lines)) + "\n"


def main():
    single_path, mixed_path = HERE / "single_byte.txt", HERE / "mixed.txt"
    old = single_path.read_text()
    for path, text in ((single_path, single_byte(old)), (mixed_path, mixed())):
        if "--check" not in sys.argv:
            path.write_text(text)
        elif path.read_text() != text:
            sys.exit(f"{path.name} differs from ICU: run this program without --check")


main()
