// Loaded into a node before anything else: each SIGUSR2 moves its clock by an hour, forward and back in turn. Monotonic clocks go on as they do.
const real = Date.now;
let offsetMs = 0;
Date.now = () => real() + offsetMs;
process.on('SIGUSR2', () => {
  offsetMs = offsetMs === 3_600_000 ? -3_600_000 : 3_600_000;
});
