// Parts of the HTTP layer that need no socket: targets, queries, the rate window.

import { describe, expect, test } from 'vitest';
import { Problem } from '../../src/http/problems.ts';
import { RateLimit } from '../../src/http/rate-limit.ts';
import { allRoutes } from '../../src/http/routes.ts';
import { decodeSegment, parseQuery, pathFlaw, splitTarget, targetOf } from '../../src/http/target.ts';

describe('targets', () => {
  test.each([
    ['/a/b?c=d', '/a/b', 'c=d'],
    ['/a', '/a', ''],
    ['/a?', '/a', ''],
    ['/a?b?c', '/a', 'b?c'],
    ['/a#b?c', '/a', ''],
  ])('%s', (target, path, query) => {
    expect(splitTarget(target)).toEqual({ path, query });
  });

  test('the target of a URL', () => {
    expect(targetOf('http://h:1/a?b')).toBe('/a?b');
    expect(targetOf('http://h')).toBe('/');
  });

  test.each(['//', '/a/', '/a//b', '/./a', '/a/..', '/%2e/a', '/a/%2E%2e', '/.%2e'])('%s means nothing', (path) => {
    expect(pathFlaw(path)).toBeInstanceOf(Problem);
  });

  test.each(['/', '/a', '/a/...', '/a/.b', '/a/%2eb', '/a/%2f', '/a.'])('%s is a path', (path) => {
    expect(pathFlaw(path)).toBeNull();
  });

  test('segments are UTF-8', () => {
    expect(decodeSegment('%F0%9F%98%80%2F')).toBe('😀/');
    for (const bad of ['%', '%4', '%gg', '%c3', '%ed%a0%80']) expect(() => decodeSegment(bad)).toThrow(Problem);
  });

  test('queries: names in any case, the first value counts, plus is a blank', () => {
    const values = parseQuery('A=1&a=2&b&c=x+y%2B&&%64=%C3%A9&=z');
    expect([...values]).toEqual([
      ['a', '1'],
      ['b', ''],
      ['c', 'x y+'],
      ['d', 'é'],
      ['', 'z'],
    ]);
    expect(() => parseQuery('a=%ff')).toThrow(Problem);
  });
});

describe('the rate window', () => {
  test('one below, at and above the permits; a new window at its very start', () => {
    let now = 5000;
    const limit = new RateLimit(3, 10, () => now);
    for (let i = 0; i < 3; i++) limit.take();
    expect(() => limit.take()).toThrow(Problem);
    now = 14_999;
    expect(() => limit.take()).toThrow(Problem);
    now = 15_000;
    limit.take();
    now = 38_000;
    for (let i = 0; i < 3; i++) limit.take();
    expect(() => limit.take()).toThrow(Problem);
    now = 44_999;
    expect(() => limit.take()).toThrow(Problem);
    now = 45_000;
    limit.take();
  });
});

test('no route stands twice in the table', async () => {
  const routes = await allRoutes();
  const shapes = routes.map(({ method, path }) => `${method} ${path.replace(/:\w+/g, ':')}`);
  expect(new Set(shapes).size).toBe(shapes.length);
});
