// A progress bar for a person at a terminal, or a line each tenth for a log file.

const barWidth = 32;
const redrawMs = 100;

export class Progress {
  private readonly name: string;
  private readonly total: number;
  private readonly unit: string;
  private readonly started = performance.now();
  private done = 0;
  private drawnAt = 0;
  private tenth = 0;

  constructor(name: string, total: number, unit: string) {
    this.name = name;
    this.total = total;
    this.unit = unit;
  }

  advance(amount: number): void {
    this.done += amount;
    const now = performance.now();
    if (process.stderr.isTTY) {
      if (now - this.drawnAt < redrawMs) return;
      this.drawnAt = now;
      process.stderr.write(`\r${this.line()}`);
      return;
    }
    const tenth = Math.floor((10 * this.done) / this.total);
    if (tenth <= this.tenth) return;
    this.tenth = tenth;
    process.stderr.write(`${this.line()}\n`);
  }

  end(): void {
    if (process.stderr.isTTY) process.stderr.write(`\r${this.line()}\n`);
  }

  private line(): string {
    const share = Math.min(1, this.done / Math.max(1, this.total));
    const filled = Math.round(share * barWidth);
    const rate = this.done / Math.max(0.001, (performance.now() - this.started) / 1000);
    const bar = '█'.repeat(filled) + '░'.repeat(barWidth - filled);
    const percent = `${Math.round(share * 100)}`.padStart(3);
    return `${this.name} ${bar} ${percent} %  ${count(this.done)} of ${count(this.total)} ${this.unit}, ${count(rate)}/s`;
  }
}

function count(value: number): string {
  return Math.round(value).toLocaleString('en-US');
}
