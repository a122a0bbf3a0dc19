/** The index of the row that a height on the page belongs to, from the boxes of all rows; the first or last beyond them. */
export function dropPlace(boxes, y) {
  const index = boxes.findIndex(({ bottom }) => y < bottom);
  return index < 0 ? boxes.length - 1 : index;
}
