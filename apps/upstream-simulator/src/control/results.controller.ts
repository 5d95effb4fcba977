import { Controller, Get, NotFoundException, Param, StreamableFile } from '@nestjs/common';
import { MEDIA_TYPES, renderPicture } from '../picture/picture.js';
import { PictureShelf } from '../picture/picture-shelf.js';

/** What the vendors' storage is: the pictures that answers link to. */
@Controller('__results')
export class ResultsController {
  constructor(private readonly pictures: PictureShelf) {}

  @Get(':name')
  read(@Param('name') name: string): StreamableFile {
    const picture = this.pictures.get(name);
    if (picture === undefined) {
      throw new NotFoundException('The specified key does not exist.');
    }
    const bytes = renderPicture(picture);
    return new StreamableFile(bytes, { type: MEDIA_TYPES[picture.format], length: bytes.length });
  }
}
