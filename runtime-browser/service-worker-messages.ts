// How a service worker finds the page that has an engine. It asks every page `find` and gives each a port; a page that answers below the same
// path says `here` and takes requests over that port, as an engine's worker does (messages.ts). Each side holds a lock that the other waits
// for: whoever gets it knows that the other side is gone, and with it what is under way.

/** From the service worker to pages, with a port. */
export interface Find {
  readonly kind: 'arcwise-find';
  /** Path that requests begin with. */
  readonly path: string;
  /** Lock of the service worker. */
  readonly lock: string;
}

/** From a page, over that port, before anything else. */
export interface Here {
  readonly kind: 'here';
  /** Lock of the page. */
  readonly lock: string;
}

/** From a page to the service worker: it has just begun to answer. */
export const serving = 'arcwise-serving';

/** Name of the parameter of the script's address that holds the path: a service worker that starts has nothing else to know it from. */
export const pathParameter = 'path';
/** Name of the parameter that says after how many milliseconds a stream of events ends and its listener connects again. */
export const streamParameter = 'streamMs';
