// The picture of a state, as its task draws it: one bit a pixel.

const isSet = ({ pixels, width }, x, y) => {
  const bit = y * width + x;
  return (pixels[bit >> 3] >> (bit & 7)) & 1;
};

/** Draws a picture. What was not in the picture before, or only in it, has colours of its own. */
export function draw(canvas, picture, before) {
  canvas.hidden = !picture;
  if (!picture) return;
  const { width, height } = picture;
  if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height });
  const style = getComputedStyle(canvas);
  const [ink, fresh, gone] = ["--ink", "--accent", "--rule"].map((name) => style.getPropertyValue(name));
  const context = canvas.getContext("2d");
  context.clearRect(0, 0, width, height);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const now = isSet(picture, x, y);
      const was = before ? isSet(before, x, y) : now;
      if (!now && !was) continue;
      context.fillStyle = now ? (was ? ink : fresh) : gone;
      context.fillRect(x, y, 1, 1);
    }
  }
}

/** Returns whether a pixel is set in one picture and not in another. */
export const isFresh = (picture, before, x, y) => isSet(picture, x, y) && !isSet(before, x, y);

export const isSame = (a, b) => a && b && a.pixels.length === b.pixels.length && a.pixels.every((byte, i) => byte === b.pixels[i]);
