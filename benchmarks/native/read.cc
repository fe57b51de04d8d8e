// Reads a stretch of memory as fast as a processor can, on one thread or several: what a scan of vectors is bound by. Pages of 4 KiB, as
// WebAssembly memory has them. Usage: read BYTES; for each line of standard input, a number of threads, one line: milliseconds.

#include <sys/mman.h>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <immintrin.h>
#include <thread>
#include <vector>

static float sum(const float* at, size_t count) {
  __m256 a = _mm256_setzero_ps(), b = a, c = a, d = a;
  for (size_t i = 0; i < count; i += 32) {
    a = _mm256_add_ps(a, _mm256_load_ps(at + i));
    b = _mm256_add_ps(b, _mm256_load_ps(at + i + 8));
    c = _mm256_add_ps(c, _mm256_load_ps(at + i + 16));
    d = _mm256_add_ps(d, _mm256_load_ps(at + i + 24));
  }
  alignas(32) float lanes[8];
  _mm256_store_ps(lanes, _mm256_add_ps(_mm256_add_ps(a, b), _mm256_add_ps(c, d)));
  float total = 0;
  for (float lane : lanes) total += lane;
  return total;
}

int main(int count, char** arguments) {
  if (count < 2) return 2;
  const size_t piece = 1 << 18;  // floats, 1 MiB
  const size_t pieces = strtoull(arguments[1], nullptr, 10) / (4 * piece);
  const size_t bytes = pieces * piece * 4;
  float* data = static_cast<float*>(mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  if (data == MAP_FAILED) return 1;
  madvise(data, bytes, MADV_NOHUGEPAGE);
  for (size_t i = 0; i < bytes / 4; i++) data[i] = static_cast<float>(i & 1023);
  volatile float sink = 0;
  int threads;
  while (scanf("%d", &threads) == 1) {
    std::atomic<size_t> next{0};
    std::atomic<int> ready{0};
    std::atomic<bool> go{false};
    std::vector<float> sums(threads * 16);
    auto work = [&](int own) {
      ready++;
      while (!go) _mm_pause();
      float total = 0;
      for (size_t i = next++; i < pieces; i = next++) total += sum(data + i * piece, piece);
      sums[own * 16] = total;
    };
    std::vector<std::thread> others;
    for (int i = 1; i < threads; i++) others.emplace_back(work, i);
    while (ready < threads - 1) _mm_pause();
    const auto started = std::chrono::steady_clock::now();
    go = true;
    work(0);
    for (auto& other : others) other.join();
    const auto ended = std::chrono::steady_clock::now();
    sink = sink + sums[0];
    printf("%.4f\n", std::chrono::duration<double, std::milli>(ended - started).count());
    fflush(stdout);
  }
  return 0;
}
