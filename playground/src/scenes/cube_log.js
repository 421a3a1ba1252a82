// Commands to a cube as text: a5x1 allocates a 5 x 1 mesh, r6, f6, d6, p6 release, fail, drain and repair node 6.

const LETTERS = { r: "release", f: "fail", d: "drain", p: "repair" };

export function encodeLog(log) {
  return log.map(encode).join("-");
}

function encode(command) {
  if (command.do === "allocate") return `a${command.sides[0]}x${command.sides[1]}`;
  return Object.keys(LETTERS).find((of) => LETTERS[of] === command.do) + command.node;
}

// What is no command of a cube of so many dimensions is left out.
export function decodeLog(text, dims) {
  return (text ?? "").split("-").map((word) => decode(word, 1 << dims)).filter(Boolean);
}

function decode(word, nodes) {
  const mesh = /^a(\d{1,3})x(\d{1,3})$/.exec(word);
  if (mesh && mesh[1] >= 1 && mesh[2] >= 1) return { do: "allocate", sides: [Number(mesh[1]), Number(mesh[2])] };
  const other = /^([rfdp])(\d{1,3})$/.exec(word);
  return other && Number(other[2]) < nodes ? { do: LETTERS[other[1]], node: Number(other[2]) } : null;
}
