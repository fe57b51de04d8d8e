// A plugin of the bundler: how zod writes a schema as JSON Schema loads with whoever asks for that, not with the schemas. They get functions
// that pass on to the real ones, which are handed over where the real module is loaded: with `toJSONSchema`.

import { readFileSync } from 'node:fs';
import { at } from './freshness.mjs';

const later = '\0json-schema-later';
const schemas = /\/zod\/v4\/classic\/schemas\.js$/;
const realPath = 'node_modules/zod/v4/core/json-schema-processors.js';
const realModule = /\/zod\/v4\/core\/json-schema-processors\.js$/;
const postponed = /\/core\/(json-schema-processors|to-json-schema)\.js$/;
const methods = ['createToJSONSchemaMethod', 'createStandardJSONSchemaMethod'];

/** What the real module must export, and what it takes from another one. */
function namesIn(code) {
  return [
    ...new Set([...code.matchAll(/^export (?:const|function) (\w+(?:Processor|Checks))\b/gm)].map(([, name]) => name)),
  ];
}

export const schemasLater = {
  name: 'schemas-later',
  resolveId(source, importer) {
    if (source === later) return later;
    return importer !== undefined && schemas.test(importer) && postponed.test(source) ? later : null;
  },
  load(id) {
    if (id !== later) return null;
    const names = [...namesIn(readFileSync(at(realPath), 'utf8')), ...methods];
    const passed = names.map((name) => `export const ${name} = (...args) => real.${name}(...args);`);
    return ['let real;', 'export const provide = (given) => { real = given; };', ...passed].join('\n');
  },
  transform(code, id) {
    if (!realModule.test(id)) return null;
    const own = namesIn(code);
    return [
      `import { provide } from ${JSON.stringify(later)};`,
      `import { ${methods.join(', ')} } from './to-json-schema.js';`,
      code,
      `provide({ ${[...own, ...methods].join(', ')} });`,
    ].join('\n');
  },
};
