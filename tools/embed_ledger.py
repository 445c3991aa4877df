#!/usr/bin/env python3
"""Write a C file that holds the given ledger documents as byte arrays.

usage: embed_ledger.py OUTPUT.c [DOCUMENT.json ...]

Bytes, not string literals: a document is longer than the 4095 characters that ISO C
promises for a literal.
"""
import pathlib
import sys


def array(number, data):
    rows = [", ".join(str(byte) for byte in data[i:i + 24]) for i in range(0, len(data), 24)]
    body = ",\n    ".join(rows + ["0"])
    return f"static const unsigned char text{number}[] = {{\n    {body}}};\n"


def main():
    output, documents = sys.argv[1], [pathlib.Path(name) for name in sys.argv[2:]]
    parts = ["/* Written by tools/embed_ledger.py; do not edit. */\n", '#include "documents.h"\n\n']
    parts += [array(i, path.read_bytes()) for i, path in enumerate(documents)]
    parts.append("const ckda_ledger_document ckda_proofs_documents[] = {\n")
    parts += [f'    {{"proofs/{path.name}", (const char *)text{i}}},\n'
              for i, path in enumerate(documents)]
    parts.append("    {0, 0}};\n")
    parts.append(f"const size_t ckda_proofs_ndocuments = {len(documents)};\n")
    pathlib.Path(output).write_text("".join(parts))


if __name__ == "__main__":
    main()
