// Templates of log lines: `{Name}` and `{Count:D3}` stand for the values behind the template in their order. What comes out is a composite
// format, which string.Format takes.

export interface LogTemplate {
  readonly format: string;
  /** Values that it asks for. */
  readonly count: number;
}

/** `{{` and `}}` stand for braces; a brace that opens or closes nothing stands for itself. */
export function logTemplate(template: string): LogTemplate {
  let count = 0;
  const format = template.replace(/\{\{|\}\}|\{[^{}:,]*((?:,[^{}:]*)?(?::[^{}]*)?)\}|[{}]/g, (found, rest?: string) => {
    if (found === '{{' || found === '}}') return found;
    return rest === undefined ? found + found : `{${count++}${rest}}`;
  });
  return { format, count };
}
