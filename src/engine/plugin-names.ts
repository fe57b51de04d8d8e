// The names of what is built in, as `/status` and save games list them.

export const pathAlgorithms = ['BLS', 'DIJKSTRA'] as const;
