// What the contract suite needs of a home: how a service of it is started, ended and started again, and which tests are not for it. The
// client of the suite asks every home by the same URL, so that tests cannot tell which one answers. `npm run contract` names the home.

export type ServiceSettings = Readonly<Record<string, string | number | boolean>>;

/**
 * What a test may ask for beyond answers. `files`: those of the graphs, to be looked at and changed. `process`: one that ends by itself and has
 * a code. `log`: what the service tells its operator. `socket`: requests as they were written, whatever their method, target and headers.
 * `threads`: several, over one memory.
 */
export type Need = 'files' | 'process' | 'log' | 'socket' | 'threads';

export interface Home {
  readonly name: string;
  /** What it has not, and why. Tests that need it are not for this home: those that ask for it, and those of `needs-by-test.ts`. */
  readonly lacks?: Readonly<Partial<Record<Need, string>>>;
  /** Why it cannot run on this machine; null when it can. */
  readonly missing: string | null;
  /** Tests that are not for this home. A rule that fits no test of its file is a mistake, which the runner tells. */
  readonly skips: readonly SkipRule[];
  /** A service that holds nothing, and is not started yet. */
  open(): HomeService;
}

export interface SkipRule {
  /** File name below test/contract, without `.test.ts`. */
  readonly file: string;
  /** Part of a test's whole name, `suite > test`; missing: every test of the file. */
  readonly test?: string;
  readonly reason: string;
}

/** One service and the place of its data, over several starts. */
export interface HomeService {
  /** Where it answers; another one after each start. */
  readonly url: string;
  /** Warnings and errors that the present start has told. */
  readonly log: string;
  /** Over the data that an earlier start left. Resolves when it is ready; rejects when it does not get there, with why. */
  start(settings: ServiceSettings): Promise<void>;
  /** `stop`: as its operator ends it; rejects when it does not end well. `kill`: at once, whatever it does. */
  end(how: 'stop' | 'kill'): Promise<void>;
  /** Ends it and removes its data. */
  remove(): Promise<void>;
}

/** Whether the rule is about a test of `file` with this whole name. */
export function fits(rule: SkipRule, file: string, name: string): boolean {
  return rule.file === file && (rule.test === undefined || name.includes(rule.test));
}
