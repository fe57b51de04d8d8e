// A compiler transform for release builds: removes every statement `check(...)`. Inlining the empty function is not enough,
// because a load in the condition may trap and the optimiser therefore keeps it.

/** The transform, over the node kinds of the given compiler module (`assemblyscript`). */
export function stripChecks({ Node, NodeKind }) {
  const isCheck = (node) =>
    node instanceof Node &&
    node.kind === NodeKind.Expression &&
    node.expression.kind === NodeKind.Call &&
    node.expression.expression.kind === NodeKind.Identifier &&
    node.expression.expression.text === 'check';

  const strip = (value) => {
    if (isCheck(value)) return Node.createEmptyStatement(value.range);
    if (Array.isArray(value)) {
      for (let i = 0; i < value.length; i++) value[i] = strip(value[i]);
    } else if (value instanceof Node) {
      for (const key of Object.keys(value)) {
        const child = value[key];
        if (key !== 'range' && (Array.isArray(child) || child instanceof Node)) value[key] = strip(child);
      }
    }
    return value;
  };

  return {
    afterParse(parser) {
      for (const source of parser.sources) {
        if (!source.isLibrary) strip(source.statements);
      }
    },
  };
}
