// A compiler transform for modules whose members are played on one thread (test/assembly/switched.ts): `switched` goes around every atomic
// operation that answers something, and into the address of every other one. Nobody may sleep there, so `atomic.wait` becomes a
// call that wakes others, and gives way.

/** The transform, over the node kinds of the given compiler module (`assemblyscript`). */
export function switchPoints({ Node, NodeKind }) {
  const silent = new Set(['store', 'notify']);

  const atomicName = (node) => {
    if (!(node instanceof Node) || node.kind !== NodeKind.Call) return null;
    const callee = node.expression;
    if (callee.kind !== NodeKind.PropertyAccess || callee.expression.kind !== NodeKind.Identifier) return null;
    return callee.expression.text === 'atomic' ? callee.property.text : null;
  };

  const switched = (types, value) => {
    const name = Node.createIdentifierExpression('switched', value.range);
    return Node.createCallExpression(name, types, [value], value.range);
  };

  const rewrite = (value) => {
    if (Array.isArray(value)) {
      for (let i = 0; i < value.length; i++) value[i] = rewrite(value[i]);
      return value;
    }
    if (!(value instanceof Node)) return value;
    for (const key of Object.keys(value)) {
      const child = value[key];
      if (key !== 'range' && (Array.isArray(child) || child instanceof Node)) value[key] = rewrite(child);
    }
    const name = atomicName(value);
    if (name === null) return value;
    if (name === 'wait') {
      value.expression.property.text = 'notify';
      value.typeArguments = null;
      value.args.length = 1;
      return switched(null, value);
    }
    if (!silent.has(name)) return switched(value.typeArguments, value);
    value.args[0] = switched(null, value.args[0]);
    return value;
  };

  return {
    afterParse(parser) {
      for (const source of parser.sources) if (!source.isLibrary) rewrite(source.statements);
    },
  };
}
