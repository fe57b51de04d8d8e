// The functions of mathematics that both back ends compute with: those of the core (assembly/fragments/exponentials.ts, trigonometry.ts,
// hyperbolics.ts). Compiled fragments import them, the interpreter is handed them, so that no result depends on the host's own Math.

/** Each result is rounded once: it is the nearest double, but for arguments whose result lies within 2^-8 of a half way between two. */
export interface RealFunctions {
  realAcos(x: number): number;
  realAcosh(x: number): number;
  realAsin(x: number): number;
  realAsinh(x: number): number;
  realAtan(x: number): number;
  realAtan2(y: number, x: number): number;
  realAtanh(x: number): number;
  realCbrt(x: number): number;
  realCos(x: number): number;
  realCosh(x: number): number;
  realExp(x: number): number;
  realLog(x: number): number;
  realLog10(x: number): number;
  realLog2(x: number): number;
  /** `single`: of floats, so that the two logarithms are rounded to floats. */
  realLogBase(x: number, base: number, single: boolean): number;
  realPow(x: number, y: number): number;
  realSin(x: number): number;
  realSinh(x: number): number;
  realTan(x: number): number;
  realTanh(x: number): number;
}
