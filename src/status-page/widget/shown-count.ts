/** The script of the widget shows so many notices. */
export const shownCount = 3;
