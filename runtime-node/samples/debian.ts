// Debian's package archive as a property graph: packages and virtual names are vertices, the typed relations of a package
// (depends, recommends, conflicts, …) are edges. The input is what `apt-cache dumpavail` prints: stanzas of `Field: value` lines
// as Debian Policy chapter 5 describes them.

import { edgeLine, metaLine, type SampleGraph, type SampleProperty, vertexLine } from './lines.ts';

const relations = [
  'Depends',
  'Pre-Depends',
  'Recommends',
  'Suggests',
  'Enhances',
  'Conflicts',
  'Breaks',
  'Replaces',
  'Provides',
] as const;

type Stanza = Map<string, string>;

interface Relation {
  readonly type: string;
  readonly source: number;
  readonly target: number;
  /** What stands in parentheses, such as `>= 2.36`; empty when any version will do. */
  readonly version: string;
  /** Position among alternatives separated by `|`, from 1. */
  readonly alternative: number;
}

function parseStanza(block: string): Stanza {
  const fields: Stanza = new Map();
  let field = '';
  for (const line of block.split('\n')) {
    if (line.startsWith(' ') || line.startsWith('\t')) {
      fields.set(field, `${fields.get(field) ?? ''}\n${line.trim()}`);
      continue;
    }
    const colon = line.indexOf(':');
    if (colon <= 0) continue;
    field = line.slice(0, colon);
    fields.set(field, line.slice(colon + 1).trim());
  }
  return fields;
}

/** The first stanza of a name is its newest version. */
function parsePackages(dump: string): Map<string, Stanza> {
  const packages = new Map<string, Stanza>();
  for (const block of dump.split(/\n{2,}/)) {
    const stanza = parseStanza(block);
    const name = stanza.get('Package');
    if (name !== undefined && !packages.has(name)) packages.set(name, stanza);
  }
  return packages;
}

function vertexProperties(name: string, stanza: Stanza): SampleProperty[] {
  return [
    ['name', 'System.String', name],
    ['version', 'System.String', stanza.get('Version') ?? ''],
    ['section', 'System.String', stanza.get('Section') ?? ''],
    ['priority', 'System.String', stanza.get('Priority') ?? ''],
    ['architecture', 'System.String', stanza.get('Architecture') ?? ''],
    ['installedKilobytes', 'System.Int64', stanza.get('Installed-Size') ?? '0'],
    ['downloadBytes', 'System.Int64', stanza.get('Size') ?? '0'],
    ['essential', 'System.Boolean', stanza.get('Essential') === 'yes'],
    ['description', 'System.String', (stanza.get('Description') ?? '').split('\n')[0] ?? ''],
  ];
}

/** Converts the text of `apt-cache dumpavail`. */
export function debianGraph(dump: string): SampleGraph {
  const packages = parsePackages(dump);
  const names = [...packages.keys()].sort();
  const ids = new Map(names.map((name, id) => [name, id]));
  const virtualNames: string[] = [];
  const edges: Relation[] = [];

  const idOf = (name: string): number => {
    const known = ids.get(name);
    if (known !== undefined) return known;
    const id = names.length + virtualNames.length;
    ids.set(name, id);
    virtualNames.push(name);
    return id;
  };

  for (const [source, name] of names.entries()) {
    const stanza = packages.get(name) as Stanza;
    for (const relation of relations) {
      for (const group of (stanza.get(relation) ?? '').split(',')) {
        for (const [index, alternative] of group.split('|').entries()) {
          const parts = /^\s*([^\s([:<]+)[^(]*(?:\(([^)]*)\))?/.exec(alternative);
          if (parts?.[1] === undefined) continue;
          edges.push({
            type: relation.toLowerCase(),
            source,
            target: idOf(parts[1]),
            version: parts[2] ?? '',
            alternative: index + 1,
          });
        }
      }
    }
  }
  const vertexCount = names.length + virtualNames.length;

  function* lines(): Generator<string> {
    yield metaLine(vertexCount, edges.length);
    for (const [id, name] of names.entries()) {
      yield vertexLine(id, 'package', vertexProperties(name, packages.get(name) as Stanza));
    }
    for (const [index, name] of virtualNames.entries()) {
      yield vertexLine(names.length + index, 'virtual', [['name', 'System.String', name]]);
    }
    for (const [index, edge] of edges.entries()) {
      yield edgeLine(vertexCount + index, edge.type, edge.source, edge.target, [
        ['version', 'System.String', edge.version],
        ['alternative', 'System.Int32', edge.alternative],
      ]);
    }
  }
  return { name: 'debian', vertexCount, edgeCount: edges.length, lines };
}
