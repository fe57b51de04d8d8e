// Writes a model in the ONNX format (https://onnx.ai/onnx/repo-docs/IR.html): protocol buffers, of which only what such a file needs is here.
// A field is its number and kind, then a number or a length with bytes.

const encoder = new TextEncoder();

function varint(value) {
  const bytes = [];
  let rest = BigInt.asUintN(64, BigInt(value));
  for (; rest > 127n; rest >>= 7n) bytes.push(Number(rest & 127n) | 128);
  return Uint8Array.from([...bytes, Number(rest)]);
}

const joined = (parts) => new Uint8Array(Buffer.concat(parts));
const number = (field, value) => joined([varint(field << 3), varint(value)]);
const bytes = (field, value) => joined([varint((field << 3) | 2), varint(value.byteLength), value]);
const text = (field, value) => bytes(field, encoder.encode(value));
const message = (field, parts) => bytes(field, joined(parts));

const types = { float: 1, int8: 3, int64: 7 };

/** TensorProto: `data` is a typed array in the machine's order, which is little-endian wherever this runs. */
export function tensor(name, type, dims, data) {
  const raw = new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
  return [...dims.map((dim) => number(1, dim)), number(2, types[type]), text(8, name), bytes(9, raw)];
}

/** NodeProto; attributes are whole numbers. */
export function node(operator, inputs, outputs, attributes = {}) {
  const list = Object.entries(attributes).map(([name, value]) =>
    message(5, [text(1, name), number(3, value), number(20, 2)]),
  );
  return [...inputs.map((name) => text(1, name)), ...outputs.map((name) => text(2, name)), text(4, operator), ...list];
}

/** ValueInfoProto; a dimension is a number or a name. */
export function value(name, type, dims) {
  const shape = dims.map((dim) => message(1, [typeof dim === 'number' ? number(1, dim) : text(2, dim)]));
  return [text(1, name), message(2, [message(1, [number(1, types[type]), message(2, shape)])])];
}

/** ModelProto of one graph. */
export function model({ producer, opset, name, nodes, tensors, inputs, outputs }) {
  const graph = [
    ...nodes.map((one) => message(1, one)),
    text(2, name),
    ...tensors.map((one) => message(5, one)),
    ...inputs.map((one) => message(11, one)),
    ...outputs.map((one) => message(12, one)),
  ];
  const irVersion = 7;
  return joined([number(1, irVersion), text(2, producer), message(7, graph), message(8, [number(2, opset)])]);
}
