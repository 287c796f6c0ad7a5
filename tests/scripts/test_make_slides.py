"""What of a page goes onto slides, and in which order."""

import make_slides
from bs4 import BeautifulSoup

PAGE = """<html><head><script>window.MathJax = {};</script></head><body>
<article class="bd-article"><section id="buckets">
<h1><span class="section-number">7. </span>Buckets<a class="headerlink">#</a></h1>
<ul class="pe-ways"><li>Download</li></ul>
<p><strong>What was missing.</strong> A bias. See <a href="rope.html#a">RoPE</a>,
<a href="#one">this</a> and <a href="https://example.org/a">that</a>.</p>
<p>After this chapter you can</p>
<ul><li>count</li></ul>
<div class="cell"><div class="cell_output"><figure><style>i{}</style>
<img alt="a ruler"><script type="module">play()</script></figure></div></div>
<section id="one"><h2>One number</h2><p>First.</p>
<p>It is a sum:<noscript>A</noscript></p><div class="math" id="equation-a">A</div>
<div class="math" id="equation-b">B</div>
<div class="math">not numbered</div>
<p>It is short:</p><div class="math" id="equation-c">C</div>
<div class="proof"><p>Proof.</p><div class="math" id="equation-d">D</div></div>
<details class="pe-guess"><div class="math" id="equation-f">F</div></details>
<div class="proof theorem" id="t"><section><p>Theorem.</p></section></div>
<div class="cell"><figure>not marked</figure></div>
<div class="cell tag_slide"><figure>marked</figure></div></section>
<section id="move"><h2>Move it</h2><div class="cell"><div class="cell_output">
<style>i{}</style><div id="posenc-x-1">picture</div>
<script type="module">1 < 2</script></div></div></section>
<section id="what-remains"><h2>What remains</h2><p>Content.</p></section>
<section id="exercises"><h2>Exercises</h2>
<div class="exercise"><p>Exercise 1</p><section><p>Count.</p></section></div>
<div class="solution"><div class="math" id="equation-e">E</div></div>
<div class="exercise"><p>Exercise 2</p><section><p>Draw.</p></section></div>
<div class="exercise"><p>Exercise 3</p><section><p>Sing.</p></section></div>
</section></section></article></body></html>"""


def test_slides_are_in_order_and_hold_what_belongs_there():
    soup = BeautifulSoup(make_slides.deck("t5", PAGE), "html.parser")
    slides = {
        section["id"]: " ".join(section.get_text(" ").split())
        for section in soup.select(".pe-slides > section")
    }
    assert list(slides) == [
        *("title", "opening", "missing", "aims"),
        *("one", "one-2", "one-3", "move"),
        *("question", "exercise-1", "exercise-2", "what-remains"),
    ]
    assert slides["title"].startswith("Buckets One learned number for each range")
    assert slides["missing"] == "What was missing A bias. See RoPE , this and that ."
    assert slides["aims"] == "After this chapter you can count"
    assert slides["one"] == "One number It is a sum: A B"
    assert slides["one-2"] == "One number It is short: C Theorem."
    assert slides["one-3"] == "One number marked"
    assert "A program rounds" in slides["question"]
    assert slides["exercise-2"] == "Exercise 2 Draw."
    assert slides["what-remains"] == "What remains Content."


def test_links_scripts_and_styles_are_carried_along():
    html = make_slides.deck("t5", PAGE)
    links = BeautifulSoup(html, "html.parser").select("section a")
    assert [link["href"] for link in links] == [
        "../book/rope.html#a",
        "../book/t5.html#one",
        "https://example.org/a",
    ]
    assert '<script type="module">1 < 2</script>' in html
    assert html.count("<style>i{}</style>") == 1
    assert html.count("window.MathJax = {}") == 1
    assert "play()" not in html  # the opening is a drawing
