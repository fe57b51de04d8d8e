// The formats that documents come in, by the extension of their names (reference 20.2).

/** Converted in process. */
export const textFormats = ['txt', 'md'] as const;
/** Converted by a service. */
export const binaryFormats = ['pdf', 'docx', 'xlsx', 'pptx', 'html'] as const;
export type SourceFormat = (typeof textFormats)[number] | (typeof binaryFormats)[number];
