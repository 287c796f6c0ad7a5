"""Who searches for a method finds its chapter first, and the sections about it."""

import re
from urllib.parse import quote, urlsplit

import browsing
import page_rules
import pytest

pytestmark = pytest.mark.browser

#: What people type, by the page that comes first.
FIRST = {
    "alibi": "ALiBi, linear bias, RoPE vs ALiBi",
    "attention": "positional encoding",
    "cape": "NoPE, no positional encoding",
    "compare": "comparison, which is best",
    "convolutional": "wav2vec, convolution, conv",
    "laboratory": "length extrapolation",
    "linear_attention": "linear Transformer, Performer, kernel",
    "music_transformer": "skew",
    "questions": "questions",
    "rope": "RoPE, rotary, YaRN, rope scaling",
    "shaw": "Shaw",
    "sinusoidal": "sinusoidal, sin cos",
    "swin": "Swin",
    "t5": "T5, bucket",
    "transformer_xl": "segment memory",
}
#: Words of questions asked in forums and issues, and the section that answers them: its
#: page and how its heading begins. Either of two will do.
ASKED = {
    "encoding added not concatenated": "sinusoidal: Why is the encoding added",
    "why 10000": "sinusoidal: Why 10000?",
    "why both sine and cosine": "sinusoidal: Why both sine and cosine",
    "what is positional encoding": "attention: What is positional encoding",
    "position vanish upper layers": "sinusoidal: Doesn’t the position vanish",
    "time stamps fractions positions": "sinusoidal: Can positions be fractions",
    "Fourier transform": "sinusoidal: Is this a Fourier transform?",
    "similarity decay with distance symmetric": "rotation: Does the similarity of",
    "longest text 63,000": "sinusoidal: Is 10000, or",
    "multiply embeddings by sqrt(d_model)": "sinusoidal: Why multiply the embed",
    "odd d_model": "sinusoidal: What if d_model is odd?",
    "exponent 2i or i": "sinusoidal: Is the exponent 2i or i?",
    "learned positions instead of sinusoids": "sinusoidal: Why learned positions",
    "learned position table look like": "sinusoidal: What do learned position",
    "causal mask position encoding": "attention: If the causal mask orders tokens",
    "decoder-only models position encoding": "attention: Then why do decoder-only",
    "why rotate q and k not values": "rope: Why does RoPE rotate queries",
    "rotate after the projection": "rope: Why rotate after the projection",
    "rotate_half freqs_cis": "rope: rotate_half or freqs_cis",
    "torch.cat freqs repeat_interleave": "rope: inv_freq: why torch.cat",
    "interleaved half layout": "rope: Which features form a pair",
    "rope_theta": "rope: What does rope_theta do",
    "base for context length": "rope: Which base for which context length?",
    "10,000 worst base": "rope: Is 10,000 the worst base?",
    "larger base or interpolation": "rope: Four ways to a longer context",
    "rope_scaling dynamic NTK yarn": "rope: rope_scaling: linear",
    "YaRN short texts": "rope: Does YaRN hurt short texts?",
    "attention_factor mscale": "rope: What is attention_factor",
    "RoPE extrapolate longer texts": "rope: Context length: why RoPE fails",
    "xPos encoder": "rope: Can xPos run in an encoder",
    "xPos KV cache": "rope: Can xPos run in an encoder",
    "cache of cosines and sines": "rope: May all layers share one table",
    "RoPE KV cache new token": "rope: KV cache: where does a new token",
    "cache keys before or after rotation": "rope: KV cache: are keys stored",
    "evict tokens KV cache renumber": "rope: Tokens were dropped",
    "left padding position_ids": "rope: Left padding and | attention: What does left",
    "packed documents restart positions": "rope: Packed documents: do positions",
    "constant offset of all positions": "rope: Does it matter if all positions",
    "rotation along the wrong axis": "rope: My scores have the shape",
    "RoPE bfloat16": "rope: Positions in bfloat16",
    "does RoPE decay with distance": "rope: Does the score decay with distance?",
    "T5 bias shared across layers": "t5: Why is the T5 bias shared",
    "T5 cross-attention bias checkpoint": "t5: Why does the checkpoint hold",
    "T5 FlashAttention": "t5: Does T5 work with FlashAttention?",
    "relative_position negative sign": "t5: Why is relative_position negative",
    "T5 no position in values": "t5: Why does T5 put no position",
    "T5 distances beyond 128": "t5: Can T5 tell distances beyond 128",
    "relative_position_index 2M-1": "swin: Why does relative_position_index mult",
    "window_size[0] window_size[1]": "swin: Is it window_size[0]",
    "relative_position_index order sign": "swin: Why is the index in this order",
    "swin bias shared blocks heads": "swin: Why is the bias not shared",
    "swin product with the query Shaw": "swin: Where is the product with",
    "ALiBi encoder bidirectional": "alibi: Does ALiBi work in an encoder",
    "ALiBi cross-attention fill-in-the-middle": "alibi: Can ALiBi be used for cross",
    "ALiBi 12 heads slope": "alibi: 12 heads: why does the slope",
    "ALiBi extrapolate measured sliding window": "alibi: Does ALiBi extrapolate",
    "train short test long": "alibi: Train short, test long",
    "symmetric ALiBi flash-attn": "alibi: Does FlashAttention support ALiBi",
    "ALiBi slopes learned": "alibi: Can ALiBi’s slopes be learned?",
    "Vision Transformer patches positions": "attention: How does a Vision Transf",
    "RoPE images": "rope: How does RoPE work for images | rope: Images: RoPE in",
    "interpolate position embeddings ViT": "swin: How do I interpolate",
    "M-RoPE": "rope: How does RoPE work for images",
    "DeepSeek MLA": "rope: Why does DeepSeek’s MLA rotate",
    "inverse rotation DeepSeek-V4": "map: How much of a head turns",
    "partial rotary": "rope: What fast and slow planes are for, and partial",
    "two bases local global Gemma 3": "rope: Why do some models have two bases",
    "NoPE layers Llama 4": "cape: What are NoPE layers",
    "DroPE": "cape: Can RoPE be removed after training",
    "attention sink": "alibi: What is an attention sink",
    "which encoding should I take": "compare: Which encoding do I take?",
    "CoPE contextual position encoding": "map: Positions that depend on",
    "FoX Forgetting Transformer": "map: Positions that depend on",
    "PaTH Householder": "map: Positions that depend on",
    "abacus embeddings": "map: Trained with other positions",
    "Kimi Linear NoPE": "map: Which layers get a position",
    "p-RoPE Gemma 4 proportional": "map: How much of | checkpoint: How much of",
}
#: TeX that a reader would have to decipher.
RAW = re.compile(r"\\[A-Za-z]|\\[()\[\]]|[_^]\{|\$")


@pytest.fixture(scope="module")
def page(browser, site):
    context = browsing.new_context(browser, viewport={"width": 1280, "height": 900})
    yield context.new_page()
    context.close()


def found(page, site, text):
    """Pages in their order, each with its sections, their headings and quotations."""
    page.goto(f"{site.http}search.html?q={quote(text)}")
    page.locator("#search-results[aria-busy=false]").wait_for()
    return page.evaluate("""() =>
      [...document.querySelectorAll("#search-results ul.search > li")].map((item) => ({
        address: item.querySelector("a").pathname,
        parts: [...item.querySelectorAll("li")].map((part) =>
          [part.querySelector("a").hash, part.querySelector("p")?.textContent ?? ""]),
        headings: [...item.querySelectorAll("li")].map((part) =>
          part.querySelector("a").textContent),
      }))""")


def slugs(results):
    return [urlsplit(one["address"]).path.rpartition("/")[2][:-5] for one in results]


@pytest.mark.parametrize(("slug", "texts"), FIRST.items())
def test_a_chapter_comes_first_for_its_own_name(page, site, slug, texts):
    for text in texts.split(", "):
        results = found(page, site, text)
        assert slugs(results)[0] == slug
        assert results[0]["parts"]


def sections(results):
    """Return the sections in the order in which a reader meets them."""
    return [
        f"{slug}: {re.sub(r'^([0-9]+[.])+ ', '', heading)}"
        for slug, one in zip(slugs(results), results, strict=True)
        for heading in one["headings"]
    ]


def test_questions_find_their_answer_among_the_first_five_sections(page, site):
    far = {}
    for text, answers in ASKED.items():
        first = sections(found(page, site, text))[:5]
        if not any(one.startswith(tuple(answers.split(" | "))) for one in first):
            far[text] = first
    assert far == {}


@pytest.mark.parametrize(
    "text", ["RoPE", "theta", "θ", "bias", "relative position", "sinusoid"]
)
def test_results_are_sections_and_their_words_can_be_read(page, site, text):
    results = found(page, site, text)
    assert len(results) > 2
    pages = slugs(results)
    reference = [at for at, slug in enumerate(pages) if slug.startswith("api")]
    assert reference == [*range(len(pages) - len(reference), len(pages))]
    parts = [part for one in results for part in one["parts"]]
    assert all(anchor for anchor, _ in parts)
    assert [words for _, words in parts if RAW.search(words)] == []
    for one in results[:3]:
        html = (site.folder / one["address"].lstrip("/")).read_text("utf-8")
        anchors = page_rules.anchors(html)
        assert [a for a, _ in one["parts"] if a.removeprefix("#") not in anchors] == []


def test_search_finds_greek_letters_and_reports_no_result(page, site):
    assert slugs(found(page, site, "θ")) == slugs(found(page, site, "theta"))
    assert found(page, site, "nowheretobefound") == []
    assert "Nothing was found" in page.locator("#search-results").inner_text()


def test_only_the_page_that_searches_loads_the_index(site):
    """The theme would load it on every page: 70 kB that none of them uses."""
    loading = {
        path.relative_to(site.folder).as_posix()
        for path in site.folder.rglob("*.html")
        if re.search(r'<script[^>]*src="[^"]*searchindex\.js', path.read_text("utf-8"))
    }
    assert loading == {"search.html"}
