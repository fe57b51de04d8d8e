// What the browser keeps: the services connected to last, and a key only where its owner wanted that.

export interface Remembered {
  readonly url: string;
  readonly namespace: string;
  readonly apiKey: string | null;
}

const place = 'arcwise.connections';
const maxKept = 6;

export function remembered(): readonly Remembered[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(place) ?? '[]');
    return Array.isArray(kept) ? kept.filter((one): one is Remembered => typeof one?.url === 'string') : [];
  } catch {
    return [];
  }
}

export function recall(url: string): Remembered | undefined {
  return remembered().find((one) => one.url === url);
}

export function remember(connection: Remembered, keepsKey: boolean): void {
  const kept = { ...connection, apiKey: keepsKey ? connection.apiKey : null };
  const others = remembered().filter(({ url, namespace }) => url !== kept.url || namespace !== kept.namespace);
  localStorage.setItem(place, JSON.stringify([kept, ...others].slice(0, maxKept)));
}
