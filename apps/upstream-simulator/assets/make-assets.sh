#!/usr/bin/env bash
# Makes the media that the simulator serves. Run by hand, then commit the files: no test and no build runs this.
#   apt-get install --no-install-recommends ffmpeg imagemagick webp && apps/upstream-simulator/assets/make-assets.sh
set -euo pipefail
cd "$(dirname "$0")"

# Three seconds of a test pattern for each shape: H.264 baseline, one key frame, the index first, no edit list.
# src/media/video.ts stretches a clip to the requested length and display size.
make_clip() {
  ffmpeg -v error -y -f lavfi -i "testsrc=size=$2:rate=4:duration=3" -an \
    -c:v libx264 -profile:v baseline -preset veryslow -crf 45 -g 12 -bf 0 -pix_fmt yuv420p \
    -movflags +faststart -use_editlist 0 -video_track_timescale 90000 \
    -map_metadata -1 -fflags +bitexact -flags:v +bitexact "$1.mp4"
}
make_clip landscape 1280x720
make_clip portrait 720x1280
make_clip square 960x960

# One grey macroblock of 16 by 16 pixels. src/media/image.ts repeats its four bytes of data for any size.
convert -size 16x16 'xc:rgb(128,128,128)' -type TrueColor -sampling-factor 2x2 -quality 90 \
  -define jpeg:optimize-coding=false -strip grey.jpg

# One colour, lossless: the pixels take no bits, so src/media/image.ts only changes the size in the header.
make_webp() {
  convert -size 64x64 "xc:$2" png32:- | cwebp -quiet -lossless -z 0 -exact -o "$1.webp" -- -
}
make_webp opaque '#a0c0e0'
make_webp transparent '#a0c0e000'
