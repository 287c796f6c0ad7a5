/* Empty on purpose: it takes the place of the theme's 1.5 MB script of every icon there
   is. The theme's style sheet draws the same icons from a font, with no script at all. */
