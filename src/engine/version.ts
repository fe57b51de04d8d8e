/** The version of this engine, as save games name it. The same as the package's. */
export const engineVersion = '0.1.0';
