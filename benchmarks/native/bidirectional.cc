// All fewest-hop paths between pairs of vertices, edges walked either way, by breadth-first search from both ends: the native peer of the
// path benchmark. Reads FILE (u32 n, m, pairs, limit; then source[m], target[m], from[pairs], to[pairs]); prints for each pair the
// microseconds of the fastest of three searches and the number of paths written, at most `limit`.
//   g++ -O3 -march=native -std=c++17 bidirectional.cc -o bidirectional
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <vector>

struct Arc {
  uint32_t neighbour, edge;
};
static uint32_t n, m;
static std::vector<uint32_t> offsets;
static std::vector<Arc> arcs;
static std::vector<uint32_t> stamp, forwardLevel, backwardLevel;
static std::vector<uint8_t> marked;
static uint32_t run = 0;

static void touch(uint32_t v) {
  if (stamp[v] != run) {
    stamp[v] = run;
    forwardLevel[v] = backwardLevel[v] = 0;
    marked[v] = 0;
  }
}

static uint64_t work(const std::vector<uint32_t>& frontier) {
  uint64_t sum = 0;
  for (uint32_t v : frontier) sum += offsets[v + 1] - offsets[v];
  return sum;
}

static uint64_t search(uint32_t from, uint32_t to, uint32_t limit, std::vector<uint32_t>& out) {
  run++;
  out.clear();
  std::vector<uint32_t> ahead{from}, behind{to}, next;
  touch(from);
  touch(to);
  forwardLevel[from] = backwardLevel[to] = 1;
  uint32_t depthAhead = 0, depthBehind = 0;
  bool met = from == to;
  while (!met && !ahead.empty() && !behind.empty()) {
    bool forward = work(ahead) <= work(behind);
    auto& frontier = forward ? ahead : behind;
    auto& own = forward ? forwardLevel : backwardLevel;
    auto& other = forward ? backwardLevel : forwardLevel;
    uint32_t level = (forward ? ++depthAhead : ++depthBehind) + 1;
    next.clear();
    for (uint32_t v : frontier)
      for (uint32_t i = offsets[v]; i < offsets[v + 1]; i++) {
        uint32_t w = arcs[i].neighbour;
        touch(w);
        if (own[w]) continue;
        own[w] = level;
        if (other[w]) met = true;
        next.push_back(w);
      }
    frontier.swap(next);
  }
  if (!met) return 0;
  std::vector<uint32_t> queue;
  for (uint32_t v : ahead)
    if (backwardLevel[v]) marked[v] = 1, queue.push_back(v);
  for (size_t i = 0; i < queue.size(); i++) {
    uint32_t v = queue[i];
    for (uint32_t k = offsets[v]; k < offsets[v + 1]; k++) {
      uint32_t w = arcs[k].neighbour;
      if (stamp[w] == run && forwardLevel[w] && forwardLevel[w] + 1 == forwardLevel[v] && !marked[w]) marked[w] = 1, queue.push_back(w);
    }
  }
  uint64_t written = 0;
  std::vector<uint32_t> cursor{offsets[from]}, walk{from}, edges;
  while (!cursor.empty() && written < limit) {
    uint32_t v = walk.back();
    if (cursor.back() == offsets[v + 1]) {
      cursor.pop_back();
      walk.pop_back();
      if (!edges.empty()) edges.pop_back();
      continue;
    }
    Arc arc = arcs[cursor.back()++];
    uint32_t w = arc.neighbour;
    if (stamp[w] != run) continue;
    bool before = forwardLevel[v] && forwardLevel[v] <= depthAhead;
    if (before ? !(marked[w] && forwardLevel[w] == forwardLevel[v] + 1) : !(backwardLevel[w] && backwardLevel[w] + 1 == backwardLevel[v])) continue;
    edges.push_back(arc.edge);
    if (w == to) {
      out.insert(out.end(), edges.begin(), edges.end());
      edges.pop_back();
      written++;
    } else {
      walk.push_back(w);
      cursor.push_back(offsets[w]);
    }
  }
  return written;
}

int main(int count, char** arguments) {
  if (count < 2) return 2;
  FILE* file = fopen(arguments[1], "rb");
  uint32_t head[4];
  if (!file || fread(head, 4, 4, file) != 4) return 1;
  n = head[0], m = head[1];
  std::vector<uint32_t> source(m), target(m), from(head[2]), to(head[2]);
  auto read = [&](std::vector<uint32_t>& v) { return fread(v.data(), 4, v.size(), file) == v.size(); };
  if (!read(source) || !read(target) || !read(from) || !read(to)) return 1;
  fclose(file);
  offsets.assign(n + 1, 0);
  for (uint32_t e = 0; e < m; e++) offsets[source[e] + 1]++, offsets[target[e] + 1]++;
  for (uint32_t v = 0; v < n; v++) offsets[v + 1] += offsets[v];
  arcs.resize(2 * (size_t)m);
  std::vector<uint32_t> at(offsets.begin(), offsets.end() - 1);
  for (uint32_t e = 0; e < m; e++) {
    arcs[at[source[e]]++] = {target[e], n + e};
    arcs[at[target[e]]++] = {source[e], n + e};
  }
  stamp.assign(n, 0), forwardLevel.assign(n, 0), backwardLevel.assign(n, 0), marked.assign(n, 0);
  std::vector<uint32_t> out;
  for (uint32_t i = 0; i < head[2]; i++) {
    double best = 1e300;
    uint64_t paths = 0;
    for (int round = 0; round < 3; round++) {
      auto start = std::chrono::steady_clock::now();
      paths = search(from[i], to[i], head[3], out);
      best = std::min(best, std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start).count());
    }
    printf("%.2f %llu\n", best, (unsigned long long)paths);
  }
}
