"""Who searches for a method finds its chapter first, and the sections about it."""

import re
from urllib.parse import quote, urlsplit

import browsing
import page_rules
import pytest

pytestmark = pytest.mark.browser

#: What people type, and the page that comes first.
FIRST = {
    "RoPE": "rope",
    "rotary": "rope",
    "YaRN": "rope",
    "T5": "t5",
    "bucket": "t5",
    "ALiBi": "alibi",
    "Shaw": "shaw",
    "Swin": "swin",
    "skew": "music_transformer",
    "segment memory": "transformer_xl",
    "NoPE": "cape",
    "wav2vec": "convolutional",
    "sinusoidal": "sinusoidal",
}
#: Words of 71 questions asked in forums and issues, and the pages that answer them.
ASKED = {
    "encoding added not concatenated": "sinusoidal",
    "why 10000": "sinusoidal",
    "why both sine and cosine": "sinusoidal rotation",
    "what is positional encoding": "attention index",
    "position vanish upper layers": "sinusoidal",
    "time stamps fractions positions": "sinusoidal cape",
    "Fourier transform": "sinusoidal",
    "similarity decay with distance symmetric": "rotation",
    "longest text 63,000": "sinusoidal",
    "multiply embeddings by sqrt(d_model)": "sinusoidal",
    "odd d_model": "sinusoidal",
    "exponent 2i or i": "sinusoidal",
    "learned positions instead of sinusoids": "sinusoidal",
    "learned position table look like": "sinusoidal",
    "causal mask position encoding": "attention cape",
    "decoder-only models position encoding": "attention cape",
    "why rotate q and k not values": "rope",
    "rotate after the projection": "rope",
    "rotate_half freqs_cis": "rope",
    "torch.cat freqs repeat_interleave": "rope",
    "interleaved half layout": "rope checkpoint",
    "rope_theta": "rope checkpoint",
    "base for context length": "rope",
    "10,000 worst base": "rope",
    "larger base or interpolation": "rope",
    "rope_scaling dynamic NTK yarn": "rope checkpoint",
    "YaRN short texts": "rope checkpoint",
    "attention_factor mscale": "rope checkpoint",
    "RoPE extrapolate longer texts": "rope",
    "xPos encoder": "rope",
    "xPos KV cache": "rope",
    "cache of cosines and sines": "rope",
    "RoPE KV cache new token": "rope",
    "cache keys before or after rotation": "rope",
    "evict tokens KV cache renumber": "rope",
    "left padding position_ids": "rope attention",
    "packed documents restart positions": "rope attention",
    "constant offset of all positions": "rope",
    "rotation along the wrong axis": "rope",
    "RoPE bfloat16": "rope",
    "does RoPE decay with distance": "rope",
    "T5 bias shared across layers": "t5",
    "T5 cross-attention bias checkpoint": "t5",
    "T5 FlashAttention": "t5",
    "relative_position negative sign": "t5",
    "T5 no position in values": "t5",
    "T5 distances beyond 128": "t5",
    "relative_position_index 2M-1": "swin",
    "window_size[0] window_size[1]": "swin",
    "relative_position_index order sign": "swin",
    "swin bias shared blocks heads": "swin",
    "swin product with the query Shaw": "swin",
    "ALiBi encoder bidirectional": "alibi",
    "ALiBi cross-attention fill-in-the-middle": "alibi",
    "ALiBi 12 heads slope": "alibi",
    "ALiBi extrapolate measured sliding window": "alibi",
    "train short test long": "alibi",
    "symmetric ALiBi flash-attn": "alibi",
    "ALiBi slopes learned": "alibi",
    "Vision Transformer patches positions": "attention swin",
    "RoPE images": "rope",
    "interpolate position embeddings ViT": "swin",
    "M-RoPE": "rope checkpoint",
    "DeepSeek MLA": "rope checkpoint",
    "inverse rotation DeepSeek-V4": "rope checkpoint",
    "partial rotary": "rope checkpoint",
    "two bases local global Gemma 3": "rope checkpoint",
    "NoPE layers Llama 4": "cape checkpoint",
    "DroPE": "cape",
    "attention sink": "alibi checkpoint",
    "which encoding should I take": "compare",
    "CoPE contextual position encoding": "map",
    "FoX Forgetting Transformer": "map alibi",
    "PaTH Householder": "map",
    "abacus embeddings": "map",
    "Kimi Linear NoPE": "map",
    "p-RoPE Gemma 4 proportional": "map rope",
}
#: TeX that a reader would have to decipher.
RAW = re.compile(r"\\[A-Za-z]|\\[()\[\]]|[_^]\{|\$")


@pytest.fixture(scope="module")
def page(browser, site):
    context = browsing.new_context(browser, viewport={"width": 1280, "height": 900})
    yield context.new_page()
    context.close()


def found(page, site, text):
    """Pages in their order, each with its sections and their quotations."""
    page.goto(f"{site.http}search.html?q={quote(text)}")
    page.locator("#search-results[aria-busy=false]").wait_for()
    return page.evaluate("""() =>
      [...document.querySelectorAll("#search-results ul.search > li")].map((item) => ({
        address: item.querySelector("a").pathname,
        parts: [...item.querySelectorAll("li")].map((part) =>
          [part.querySelector("a").hash, part.querySelector("p")?.textContent ?? ""]),
      }))""")


def slugs(results):
    return [urlsplit(one["address"]).path.rpartition("/")[2][:-5] for one in results]


@pytest.mark.parametrize(("text", "slug"), FIRST.items())
def test_a_chapter_comes_first_for_its_own_name(page, site, text, slug):
    results = found(page, site, text)
    assert slugs(results)[0] == slug
    assert results[0]["parts"]


def test_questions_find_an_answer_among_the_first_five_pages(page, site):
    far = {}
    for text, answers in ASKED.items():
        first = slugs(found(page, site, text))[:5]
        if not set(first) & set(answers.split()):
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


def test_a_greek_letter_is_found_by_its_name(page, site):
    assert slugs(found(page, site, "θ")) == slugs(found(page, site, "theta"))


def test_what_is_nowhere_is_said(page, site):
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
