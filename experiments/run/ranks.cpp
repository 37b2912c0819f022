#include "experiments/run/ranks.hpp"

#include <algorithm>
#include <cstdint>
#include <exception>
#include <thread>

namespace ropewalk {
namespace {

class Alone : public Ranks {
 public:
  int rank() const override { return 0; }
  int count() const override { return 1; }
  int cores() const override { return std::max(1, static_cast<int>(std::thread::hardware_concurrency())); }
  void send(int, const void*, std::size_t) override {}
  void receive(int, void*, std::size_t) override {}
  bool pending(int) override { return false; }
  void broadcast(void*, std::size_t) override {}
  [[noreturn]] void abort(const std::string&) override { std::terminate(); }
};

/// What a rank says of its part.
struct Report {
  std::vector<double> values;
  std::string complaint;  ///< empty: the part is done
};

void send_report(Ranks& ranks, const Report& report) {
  const std::uint64_t sizes[] = {report.values.size(), report.complaint.size()};
  ranks.send(0, sizes, sizeof sizes);
  if (!report.values.empty()) ranks.send(0, report.values.data(), report.values.size() * sizeof(double));
  if (!report.complaint.empty()) ranks.send(0, report.complaint.data(), report.complaint.size());
}

Report receive_report(Ranks& ranks, int from) {
  std::uint64_t sizes[2];
  ranks.receive(from, sizes, sizeof sizes);
  Report report{std::vector<double>(sizes[0]), std::string(sizes[1], ' ')};
  if (!report.values.empty()) ranks.receive(from, report.values.data(), report.values.size() * sizeof(double));
  if (!report.complaint.empty()) ranks.receive(from, report.complaint.data(), report.complaint.size());
  return report;
}

void send_verdict(Ranks& ranks, bool fine) {
  for (int rank = 1; rank < ranks.count(); ++rank) ranks.send(rank, &fine, sizeof fine);
}

void receive_verdict(Ranks& ranks) {
  bool fine = false;
  ranks.receive(0, &fine, sizeof fine);
  if (!fine) throw Disbanded();
}

std::vector<std::vector<double>> lead(Ranks& ranks, const std::function<std::vector<double>()>& part) {
  std::vector<std::vector<double>> said(static_cast<std::size_t>(ranks.count()));
  std::exception_ptr own;
  try {
    said[0] = part();
  } catch (...) {
    own = std::current_exception();
    send_verdict(ranks, false);
  }
  std::string complaint;
  for (int rank = 1; rank < ranks.count(); ++rank) {
    Report report = receive_report(ranks, rank);
    if (complaint.empty() && !report.complaint.empty()) complaint = fmt::format("rank {}: {}", rank, report.complaint);
    said[static_cast<std::size_t>(rank)] = std::move(report.values);
  }
  if (own) std::rethrow_exception(own);
  send_verdict(ranks, complaint.empty());
  if (!complaint.empty()) throw Error(complaint);
  return said;
}

void join(Ranks& ranks, const std::function<std::vector<double>()>& part) {
  Report report;
  try {
    report.values = part();
  } catch (const std::exception& error) {
    report.complaint = *error.what() ? error.what() : "failed without a reason";
  }
  send_report(ranks, report);
  receive_verdict(ranks);
}

}  // namespace

Ranks& alone() {
  static Alone alone;
  return alone;
}

std::vector<std::vector<double>> together(Ranks& ranks, const std::function<std::vector<double>()>& part) {
  if (ranks.leads()) return lead(ranks, part);
  join(ranks, part);
  return {};
}

std::string broadcast_text(Ranks& ranks, std::string text) {
  std::uint64_t size = text.size();
  ranks.broadcast(&size, sizeof size);
  text.resize(size);
  ranks.broadcast(text.data(), text.size());
  return text;
}

void expect_alike(Ranks& ranks, const std::string& description) {
  const std::string leaders = broadcast_text(ranks, description);
  try {
    together(ranks, [&]() -> std::vector<double> {
      check(description == leaders, "computes with {}, rank 0 with {}", description, leaders);
      return {};
    });
  } catch (const Disbanded&) {
    throw;
  } catch (const Error& error) {
    throw UsageError(
        fmt::format("{}: ranks that round differently would give other bits; start them on machines of one kind", error.what()));
  }
}

}  // namespace ropewalk
