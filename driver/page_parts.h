/* The parts of the page in the folder page/, as text in the tool. */
#pragma once

extern const char page_html[], page_css[], page_js[];
