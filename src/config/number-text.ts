// Numbers as texts, where a number may come as one: settings, quoted members of bodies, parameters.

/** A decimal number with at most one point, and an exponent. */
export const numberText = /^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/;

/** A whole number, of which `Number` makes one that is checked against its range. */
export const integerText = /^[+-]?\d{1,20}$/;
