// The check of answers against the document can fail: statuses, media types and bodies that are not declared are found.

import { expect, test } from 'vitest';
import { checkDeclared } from './support/declared.ts';

const vertex = {
  id: 1,
  creationDate: '1970-01-01T00:00:00',
  modificationDate: '1970-01-01T00:00:00',
  label: null,
  properties: [],
  outEdges: null,
  inEdges: { knows: [2] },
};

function answer(status: number, body?: unknown, type = 'application/json') {
  const text = body === undefined ? '' : JSON.stringify(body);
  return { status, text, headers: body === undefined ? {} : { 'content-type': type } };
}

const problem = (status: number, title: string, members = {}) =>
  answer(status, { title, status, detail: 'why', ...members }, 'application/problem+json');

test('what is declared passes', () => {
  checkDeclared('GET', '/vertex/1', answer(200, vertex));
  checkDeclared('GET', '/ns/a/vertex/1?x=y', answer(200, vertex));
  checkDeclared('GET', '/vertex/1', answer(204));
  checkDeclared('HEAD', '/vertex/1', answer(200));
  checkDeclared('GET', '/vertex/x', problem(400, 'Bad Request'));
  checkDeclared('GET', '/ns/a/vertex/1', problem(404, 'Namespace not found', { namespace: 'a' }));
  checkDeclared('GET', '/generate', problem(400, 'Namespace required'));
  checkDeclared('GET', '/generate', problem(401, 'Unauthorized'));
  checkDeclared('GET', '/no/such/path', answer(418, 'anything'));
});

test.each([
  ['a status', 'GET', '/vertex/1', answer(418)],
  ['a status of the other twin', 'GET', '/generate', answer(200, {})],
  ['a method', 'PUT', '/vertex/1', answer(200)],
  ['a body where there is none', 'GET', '/vertex/1', answer(204, vertex)],
  ['no body where there is one', 'GET', '/vertex/1', answer(200)],
  ['a media type', 'GET', '/vertex/1', answer(200, vertex, 'text/plain')],
  ['a missing member', 'GET', '/vertex/1', answer(200, { ...vertex, label: undefined })],
  ['one more member', 'GET', '/vertex/1', answer(200, { ...vertex, more: 1 })],
  ['a member of another type', 'GET', '/ns/a/vertex/1', answer(200, { ...vertex, inEdges: { knows: ['2'] } })],
  ['a title of another route', 'GET', '/vertex/1', problem(400, 'Invalid import line')],
  ['a problem without its member', 'GET', '/vertex/1', problem(404, 'Namespace not found')],
  ['a problem with a member of another', 'GET', '/vertex/1', problem(503, 'Service overloaded', { namespace: 'a' })],
])('%s is found', (_what, method, path, wrong) => {
  expect(() => checkDeclared(method, path, wrong)).toThrow(path);
});
