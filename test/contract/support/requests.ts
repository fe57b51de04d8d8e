// Bodies and steps that many contract tests share.

import { expect } from 'vitest';
import type { Answer } from './client.ts';
import type { TestService } from './service.ts';

export interface PropertyBody {
  readonly propertyId: string;
  readonly propertyValue: string;
  readonly fullQualifiedTypeName: string;
}

export function property(
  propertyId: string,
  propertyValue: string,
  fullQualifiedTypeName = 'System.String',
): PropertyBody {
  return { propertyId, propertyValue, fullQualifiedTypeName };
}

export const waited = '?waitForCompletion=true';

/** Creates vertices in one transaction; the new ids. */
export async function createVertices(service: TestService, bodies: readonly object[], prefix = ''): Promise<number[]> {
  const answer = await service.call('PUT', `${prefix}/vertices${waited}`, { json: bodies });
  expect(answer.status, answer.text).toBe(200);
  return answer.json;
}

export async function createEdges(service: TestService, bodies: readonly object[], prefix = ''): Promise<number[]> {
  const answer = await service.call('PUT', `${prefix}/edges${waited}`, { json: bodies });
  expect(answer.status, answer.text).toBe(200);
  return answer.json;
}

/** Empties the addressed namespace. */
export async function erase(service: TestService, prefix = ''): Promise<void> {
  expect((await service.call('HEAD', `${prefix}/tabularasa`)).status).toBe(200);
}

/** Checks status, title and form of a problem document, and answers its members. */
export function expectProblem(answer: Answer, status: number, title?: string): Record<string, unknown> {
  expect(answer.status, answer.text).toBe(status);
  expect(answer.headers['content-type']).toBe('application/problem+json');
  const document = answer.json as Record<string, unknown>;
  expect(document.status).toBe(status);
  expect(typeof document.detail).toBe('string');
  expect(document.detail).not.toBe('');
  if (title !== undefined) expect(document.title).toBe(title);
  if (status === 404 && title !== 'Namespace not found') expect(document).not.toHaveProperty('namespace');
  return document;
}

/** Checks an answer without a body. */
export function expectEmpty(answer: Answer, status: number): void {
  expect(answer.status, answer.text).toBe(status);
  expect(answer.bytes.length).toBe(0);
  expect(answer.headers['content-type']).toBeUndefined();
}

/** Checks status 200 and JSON, and answers the value. */
export function expectJson(answer: Answer, status = 200): unknown {
  expect(answer.status, answer.text).toBe(status);
  expect(answer.headers['content-type']).toBe('application/json');
  return answer.json;
}
