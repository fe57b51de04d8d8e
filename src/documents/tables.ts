// Tables as text: rows between pipes under a header. A table that is too long comes in windows, each with the header again
// (reference 20.3, Chunking 5).

type Row = readonly string[];

/** Each at most `maxChars` long unless its header and one row are longer; at least one row in each. */
export function* tableWindows(rows: readonly Row[], maxChars: number): Generator<string> {
  const [header, ...body] = rows;
  if (header === undefined) return;
  const columns = rows.reduce((most, { length }) => Math.max(most, length), 0);
  if (columns === 0) return;
  const head = `${rowText(header, columns)}\n|${' --- |'.repeat(columns)}`;
  let shown = head;
  let count = 0;
  for (const row of body) {
    const line = rowText(row, columns);
    if (count > 0 && shown.length + 1 + line.length > maxChars) {
      yield shown;
      shown = head;
      count = 0;
    }
    shown += `\n${line}`;
    count++;
  }
  yield shown;
}

function rowText(row: Row, columns: number): string {
  let text = '|';
  for (let i = 0; i < columns; i++) text += ` ${cellText(row[i] ?? '')} |`;
  return text;
}

function cellText(cell: string): string {
  return cell.replace(/\r\n?|\n/g, ' ').replaceAll('|', '\\|');
}
