// Windows of held-out tokens on their way through a model: piece by piece, shared among threads and ranks.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "experiments/run/crew.hpp"
#include "experiments/run/dataset.hpp"
#include "experiments/run/protocol.hpp"
#include "experiments/run/ranks.hpp"
#include "framework/positional/draws.hpp"

namespace ropewalk {

/// Windows that go through the model together.
struct Piece {
  const Window* begin;
  const Window* end;
  Index length;             ///< tokens of each
  positional::Draws draws;  ///< if the settings ask for positions that are drawn

  Batch batch(const Dataset& dataset) const;
};

/// What is made of a piece, on any thread: equally many numbers of each piece that has equally long windows.
using PieceWork = std::function<std::vector<double>(const Piece& piece)>;

/// Asked, on any thread, before each piece with the number of its tokens; once it says no, the rest is given up.
using BeginPiece = std::function<bool(Index tokens)>;

/// How many windows of a length are a piece.
Index windows_in_piece(Index length);

/// The numbers of all pieces, in their order, whichever thread and rank worked on them: windows are cut into pieces by their
/// number alone. What positions are drawn depends on `random` and the number of the window. Called on all ranks, each of which
/// does its share of the pieces; the numbers are the leader's, the others get none, and so is `begin`: it is asked there alone,
/// about the pieces that all ranks begin at that time. Nothing comes of it once it has said no.
std::vector<std::vector<double>> through_pieces(const std::vector<Window>& windows, Index length, const Random& random,
                                                const PieceWork& work, Crew& crew, const std::shared_ptr<Meter>& meter,
                                                const BeginPiece& begin, Ranks& ranks);

}  // namespace ropewalk
