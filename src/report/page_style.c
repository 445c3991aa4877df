/* How the page looks.  One column on a phone, contents beside it on a desk; light and dark
 * by the reader's setting.  No '<' and no '&' in here: it is written as it stands. */
#include "page.h"

static const char *const style[] = {
    /* colours */
    ":root{color-scheme:light dark;--back:#f7f7f4;--card:#fff;--ink:#1d2329;"
    "--muted:#59636e;--line:#dfe2e5;--link:#1f5f9e;--holds:#2f855a;--refuted:#b83232;"
    "--undecided:#9a6700;--open:#c3c9cf;--reported:#8a94a0;--soft:#eef1f3;"
    "--quiet:#d5dee7;--pair:#5b9bd0;--circle:#d1495b}\n"
    "@media (prefers-color-scheme:dark){:root{--back:#14171a;--card:#1b1f24;"
    "--ink:#e3e7ea;--muted:#9aa5b0;--line:#323940;--link:#82b7ec;--holds:#5cb585;"
    "--refuted:#f08080;--undecided:#dfb04c;--open:#4b545d;--reported:#77828d;"
    "--soft:#242a30;--quiet:#39434d;--pair:#4f8fc6;--circle:#e0697a}}\n",
    /* ground */
    "*{box-sizing:border-box}\n"
    "html{scroll-padding-top:1rem}\n"
    "body{margin:0;background:var(--back);color:var(--ink);font:16px/1.55 system-ui,"
    "-apple-system,'Segoe UI',Roboto,'DejaVu Sans',sans-serif;"
    "overflow-wrap:break-word;text-rendering:optimizeLegibility}\n"
    "a{color:var(--link);text-decoration-thickness:1px;text-underline-offset:2px}\n"
    "h1,h2,h3,h4{line-height:1.25;margin:0;font-weight:650;text-wrap:balance}\n"
    "h1{font-size:clamp(1.6rem,1.1rem + 2.2vw,2.3rem);letter-spacing:-.015em}\n"
    "h2{font-size:1.45rem;margin:3.2rem 0 .6rem}\n"
    "h3{font-size:1.12rem;margin:2.2rem 0 .5rem}\n"
    "p{margin:.5rem 0;max-width:46rem}\n"
    "code,.code{font:.86em/1.5 ui-monospace,'SF Mono',Menlo,Consolas,'DejaVu Sans Mono',"
    "monospace;overflow-wrap:anywhere}\n"
    ".muted{color:var(--muted)} .small{font-size:.88rem}\n"
    ".skip{position:absolute;left:-99rem} .skip:focus{left:1rem;top:1rem}\n",
    /* frame */
    ".shell{display:grid;grid-template-columns:13.5rem minmax(0,1fr);gap:3rem;"
    "grid-template-areas:'nav top' 'nav main';row-gap:0;"
    "max-width:76rem;margin:0 auto;padding:1.6rem 1.6rem 5rem}\n"
    "nav{grid-area:nav} .top{grid-area:top} main{grid-area:main}\n"
    "nav{position:sticky;top:1.6rem;align-self:start;max-height:calc(100vh - 3.2rem);"
    "overflow:auto;font-size:.92rem}\n"
    "nav ul{list-style:none;margin:0;padding:0} nav ul ul{padding-left:.9rem}\n"
    "nav a{display:flex;justify-content:space-between;gap:.6rem;padding:.16rem .5rem;"
    "border-radius:5px;text-decoration:none;color:var(--ink)}\n"
    "nav a:hover{background:var(--soft)} nav .n{color:var(--muted)}\n"
    ".brand{font-weight:700;padding:0 .5rem .5rem;letter-spacing:.01em}\n"
    "main{min-width:0}\n",
    /* verdict */
    ".top{border-top:6px solid var(--holds);background:var(--card);border-radius:10px;"
    "padding:1.3rem 1.5rem 1.2rem;box-shadow:0 1px 2px rgb(0 0 0 / .08)}\n"
    ".top.refuted{border-color:var(--refuted)} "
    ".top.undecided{border-color:var(--undecided)}\n"
    ".facts{display:flex;flex-wrap:wrap;gap:.15rem 1.1rem;margin:.9rem 0 0;padding:0;"
    "list-style:none;font-size:.88rem;color:var(--muted)}\n"
    ".n{font-variant-numeric:tabular-nums}\n",
    /* tables */
    "table{border-collapse:collapse;width:100%;font-size:.93rem}\n"
    "th{text-align:left;font-weight:600;color:var(--muted);font-size:.84rem;"
    "vertical-align:bottom}\n"
    "th,td{padding:.42rem .7rem .42rem 0;border-bottom:1px solid var(--line);"
    "vertical-align:top}\n"
    "td.n,th.n{text-align:right;white-space:nowrap}\n"
    ".levels th.n{width:5.4rem}\n"
    ".levels tr.head td,.levels tr.head th{border-bottom:0;padding-bottom:0}\n"
    ".levels tr.what td{padding-top:.1rem;padding-bottom:.7rem}\n"
    ".levels td.zero{color:var(--muted);opacity:.55}\n"
    ".levels td.bad{color:var(--refuted);font-weight:700}\n"
    ".levels a.level{font-weight:650;text-decoration:none}\n",
    /* the map of claims */
    ".map{display:flex;flex-wrap:wrap;gap:3px;margin-top:.45rem}\n"
    ".map a{display:block;width:13px;height:13px;border-radius:3px;"
    "background:var(--holds)}\n"
    ".map a.refuted{background:var(--refuted)} "
    ".map a.undecided{background:var(--undecided)} "
    ".map a.not_run{background:var(--open)} .map a.reported{background:var(--reported)}\n"
    ".map a.modulo{background:linear-gradient(135deg,var(--holds) 50%,"
    "transparent 50%);box-shadow:inset 0 0 0 1.5px var(--holds)}\n"
    ".map a:hover,.map a:focus{outline:2px solid var(--ink);outline-offset:1px}\n"
    ".key{display:flex;flex-wrap:wrap;gap:.2rem 1.1rem;font-size:.84rem;"
    "color:var(--muted);margin:.8rem 0 0;padding:0;list-style:none}\n"
    ".key i{display:inline-block;width:11px;height:11px;border-radius:3px;"
    "margin-right:.4rem;background:var(--holds)}\n"
    ".key i.refuted{background:var(--refuted)} "
    ".key i.undecided{background:var(--undecided)} .key "
    "i.not_run{background:var(--open)} "
    ".key i.reported{background:var(--reported)} .key i.real{background:var(--quiet)} "
    ".key i.double{background:var(--reported)} .key i.pair{background:var(--pair)} "
    ".key i.circle{background:var(--circle)} "
    ".key i.modulo{background:linear-gradient(135deg,var(--holds) 50%,"
    "transparent 50%);box-shadow:inset 0 0 0 1.5px var(--holds)}\n",
    /* pictures */
    ".pictures{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,24rem)"
    ",1fr));gap:1.2rem;align-items:start}\n"
    ".pictures figure:last-child:nth-child(odd){grid-column:1/-1}\n"
    ".pictures figure:last-child:nth-child(odd) svg{max-width:34rem;margin-inline:auto}\n"
    "figure{margin:0;background:var(--card);border-radius:10px;padding:1rem 1.1rem;"
    "box-shadow:0 1px 2px rgb(0 0 0 / .08)}\n"
    "figcaption h3{margin:0 0 .3rem;font-size:1rem} figcaption p{font-size:.9rem}\n"
    "figure svg{display:block;width:100%;height:auto;color:var(--ink);"
    "margin:.5rem 0 .3rem}\n"
    "figure svg [color='black']{color:var(--ink)}\n"
    "figure svg [stroke='black']{stroke:var(--ink)}\n"
    "figure svg [fill='black']{fill:var(--ink)}\n",
    /* gnuplot writes colours in this form */
    "figure svg [fill*='213, 222, 231']{fill:var(--quiet)}\n"
    "figure svg [fill*=' 91, 155, 208']{fill:var(--pair)}\n"
    "figure svg [fill*='209,  73,  91']{fill:var(--circle)}\n"
    "figure svg [stroke*=' 34,  34,  34']{stroke:var(--ink)}\n"
    "@media (prefers-color-scheme:dark){figure svg [stroke^='rgb']{filter:"
    "brightness(1.35)}}\n"
    ".missing{border-left:4px solid var(--undecided);padding:.4rem .9rem;"
    "background:var(--soft)}\n",
    /* claims */
    ".badge{display:inline-block;font-size:.78rem;font-weight:650;line-height:1;"
    "padding:.3rem .5rem;border-radius:5px;color:var(--card);background:var(--holds);"
    "white-space:nowrap}\n"
    ".badge.refuted,.badge.fails{background:var(--refuted)} "
    ".badge.undecided{background:var(--undecided)}\n"
    ".badge.not_run,.badge.reported{background:none;color:var(--muted);"
    "box-shadow:inset 0 0 0 1.5px var(--muted)}\n"
    ".target{margin-top:1.8rem} .target h4{font-size:.98rem;margin-bottom:.1rem}\n"
    "article{background:var(--card);border-radius:10px;padding:.85rem 1.1rem;"
    "margin:.6rem 0;box-shadow:0 1px 2px rgb(0 0 0 / .07)}\n"
    "article:target{outline:2px solid var(--link)}\n"
    "article header{display:flex;flex-wrap:wrap;gap:.3rem .7rem;align-items:baseline}\n"
    "article header h5{margin:0;font-size:1rem;font-weight:650;flex:1 1 15rem;"
    "line-height:1.35}\n"
    "article .id{color:var(--muted);text-decoration:none} "
    "article .id:hover{text-decoration:underline}\n"
    "article p.statement{margin:.45rem 0 .55rem}\n"
    "dl{display:grid;grid-template-columns:8.5rem minmax(0,1fr);gap:.15rem .9rem;"
    "margin:.4rem 0 0;font-size:.9rem}\n"
    "dt{color:var(--muted)} dd{margin:0} dd ul{margin:0;padding-left:1.1rem}\n"
    "dd p{margin:0}\n",
    "details{margin-top:.5rem;font-size:.92rem} summary{cursor:pointer;"
    "color:var(--link)}\n"
    "details.why p{margin:.4rem 0}\n"
    ".mutant{border-left:3px solid var(--line);padding:.1rem 0 .1rem .8rem;"
    "margin:.6rem 0}\n"
    ".mutant.survives{border-color:var(--refuted)}\n"
    ".mutant dl{font-size:.86rem}\n"
    ".scroll{overflow-x:auto}\n"
    ".hash{word-break:break-all}\n",
    /* a phone */
    "@media (max-width:60rem){.shell{display:block;padding:.9rem .9rem 3rem}"
    "nav{position:static;max-height:none;margin:1.2rem 0}"
    "nav li.deep{display:none}"
    "nav .brand{display:none}"
    "nav ul.all{columns:2;column-gap:1rem}"
    ".top{padding:1rem 1.1rem}}\n"
    "@media (max-width:40rem){body{font-size:15.5px}"
    "dl{grid-template-columns:1fr;gap:0} dd{margin-bottom:.35rem}"
    ".mutant dl{grid-template-columns:5rem minmax(0,1fr);gap:.1rem .6rem}"
    ".mutant dd{margin:0}"
    "dt{font-size:.8rem}"
    "figure{padding:.8rem .8rem} th,td{padding-right:.35rem}"
    ".levels{font-size:.88rem} .levels th{font-size:.68rem} .levels th.n{width:auto}"
    ".levels th,.levels td{padding-right:.25rem}"
    "article{padding:.8rem .85rem}"
    "table.cards thead{display:none} table.cards tr{display:block;padding:.6rem 0;"
    "border-bottom:1px solid var(--line)}"
    "table.cards td{display:grid;grid-template-columns:7rem minmax(0,1fr);gap:.6rem;"
    "border:0;padding:.1rem 0;text-align:left;white-space:normal}"
    "table.cards td::before{content:attr(data-label);color:var(--muted);"
    "font-size:.84rem}}\n"
    "@media print{nav,.skip{display:none} .shell{display:block} "
    "article,figure{break-inside:avoid;box-shadow:none;border:1px solid var(--line)}}\n"};

void
page_write_style(page_html *h)
{
    page_begin(h, "style", NULL);
    for (size_t i = 0; i < sizeof style / sizeof style[0]; i++)
        xmlTextWriterWriteRaw(h->w, BAD_CAST style[i]);
    page_end(h);
}
