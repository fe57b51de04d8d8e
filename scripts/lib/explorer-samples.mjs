// The graphs that the explorer brings along, as lines of service-jsonl: small ones, so that a page without a service has something to show.

import { readFileSync } from 'node:fs';
import { at } from './freshness.mjs';

/** Names of the files by what they hold. */
export const samples = {
  'karate.jsonl': () => karate(),
  'packages.jsonl': () => packages(),
};

/** Who met whom outside of a karate club, before it split into two (W. W. Zachary, 1977); a row for each member: those of higher number. */
const ties =
  '2 3 4 5 6 7 8 9 11 12 13 14 18 20 22 32;3 4 8 14 18 20 22 31;4 8 9 10 14 28 29 33;8 13 14;7 11;7 11 17;17;;31 33 34;34;;;;34;33 34;' +
  '33 34;;;33 34;34;33 34;;33 34;26 28 30 33 34;26 28 32;32;30 34;34;32 34;33 34;33 34;33 34;34;';
const sideOfHi = new Set([1, 2, 3, 4, 5, 6, 7, 8, 11, 12, 13, 14, 17, 18, 20, 22]);

function karate() {
  const rows = ties.split(';');
  const vertices = rows.map((_, place) => {
    const member = place + 1;
    const name = member === 1 ? 'Mr. Hi' : member === 34 ? 'Officer' : `Member ${member}`;
    return { label: 'member', properties: { name, side: sideOfHi.has(member) ? 'Mr. Hi' : 'Officer' } };
  });
  const edges = rows.flatMap((row, place) =>
    row.split(' ').flatMap((other) => (other === '' ? [] : [[place, Number(other) - 1, 'metOutside']])),
  );
  return linesOf(vertices, edges);
}

/** What this project is built of: the packages of its lock file, who publishes under which licence, and what needs what. */
function packages() {
  const { packages: found } = JSON.parse(readFileSync(at('package-lock.json'), 'utf8'));
  const names = Object.keys(found);
  const places = new Map(names.map((name, place) => [name, place]));
  const licences = [...new Set(names.map((name) => found[name].license ?? 'unknown'))].sort();
  const vertices = [
    ...names.map((name) => ({
      label: name === '' ? 'project' : found[name].optional ? 'optionalPackage' : 'package',
      properties: { name: name.replace(/^.*node_modules\//, '') || 'arcwise', version: found[name].version ?? '' },
    })),
    ...licences.map((name) => ({ label: 'licence', properties: { name } })),
  ];
  const edges = [];
  for (const [
    name,
    { dependencies = {}, devDependencies = {}, optionalDependencies = {}, license = 'unknown' },
  ] of Object.entries(found)) {
    const from = places.get(name);
    const needs = (list, type) => {
      for (const wanted of Object.keys(list)) {
        const target = resolved(places, name, wanted);
        if (target !== undefined) edges.push([from, target, type]);
      }
    };
    needs(dependencies, 'needs');
    needs(devDependencies, 'isBuiltWith');
    needs(optionalDependencies, 'mayUse');
    edges.push([from, names.length + licences.indexOf(license), 'isUnder']);
  }
  return linesOf(vertices, edges);
}

/** The nearest folder of that name, outwards. */
function resolved(places, from, wanted) {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/node_modules/')))) {
    const place = places.get(`${folder === '' ? '' : `${folder}/`}node_modules/${wanted}`);
    if (place !== undefined || folder === '') return place;
    if (!folder.includes('/node_modules/')) return places.get(`node_modules/${wanted}`);
  }
}

function linesOf(vertices, edges) {
  const typed = (properties) =>
    Object.fromEntries(Object.entries(properties).map(([key, value]) => [key, { type: 'System.String', value }]));
  const lines = [
    { type: 'meta', format: 'service-jsonl', version: 2, vertexCount: vertices.length, edgeCount: edges.length },
    ...vertices.map(({ label, properties }, id) => ({
      ...{ type: 'vertex', id, label, creationDate: 0 },
      properties: typed(properties),
    })),
    ...edges.map(([source, target, edgePropertyId], place) => ({
      ...{ type: 'edge', id: vertices.length + place, edgePropertyId, source, target, creationDate: 0, properties: {} },
    })),
  ];
  return lines.map((line) => `${JSON.stringify(line)}\n`).join('');
}
