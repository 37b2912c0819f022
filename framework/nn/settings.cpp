#include "framework/nn/settings.hpp"

namespace ropewalk::nn {

void TransformerSettings::describe(Fields& fields) {
  fields.add("kind", kind, "decoder (causal mask) or encoder (no mask)").one_of({"decoder", "encoder"});
  fields.add("layers", layers, "blocks").at_least(1).limit_to(1024);
  fields.add("heads", heads, "attention heads; divides width").at_least(1).limit_to(4096);
  fields.add("width", width, "of the model, D").at_least(1).limit_to(65536);
  fields.add("hidden", hidden, "width inside the feed-forward part; 0: four times width").at_least(0).limit_to(1 << 20);
  fields.add("activation", activation, "of the feed-forward part; swiglu adds a gate")
      .one_of({"gelu", "gelu_tanh", "relu", "silu", "swiglu"});
  fields.add("norm", norm, "layer or rms normalisation, epsilon 1e-5").one_of({"layer", "rms"});
  fields.add("dropout", dropout, "probability, on the embedding and on each residual branch in training").at_least(0).below(1);
  fields.add("tie_embeddings", tie_embeddings, "the head shares the weights of the embedding");
  fields.selection("position", position, "the positional scheme");
  fields.selection("positions", positions, "where positions come from");
}

void TransformerSettings::resolve(Index trained_length, const positional::Marks& marks, Index before) {
  hidden = hidden_width();
  positional::Context context = this->context(trained_length, marks);
  context.before = before;
  position->resolve(context);
}

}  // namespace ropewalk::nn
